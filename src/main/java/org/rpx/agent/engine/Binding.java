package org.rpx.agent.engine;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Namespace;
import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * native/rpx.h, by hand, member by member; its comments say what each does. LibTorch comes as plain
 * libraries, out of bytedeco's jars or a folder: bytedeco's own bindings to it are never loaded.
 * The first preload sets what libgomp reads when it is loaded.
 */
@Properties(
    value = {
      @Platform(
          include = "rpx.h",
          link = "rpx",
          library = "jnirpx",
          preload = {
            "rpxenv",
            "gcc_s@.1",
            "quadmath@.0",
            "gfortran@.5",
            "openblas@.0",
            "gomp@.1",
            "c10",
            "torch_cpu"
          },
          preloadresource = {"/org/bytedeco/openblas/", "/org/bytedeco/pytorch/"}),
      // Out of rpx-agent-gpu: its libtorch_cpu wants CUDA's runtime.
      @Platform(
          value = "linux-x86_64",
          extension = "-gpu",
          preload = {
            "rpxenv",
            "gcc_s@.1",
            "quadmath@.0",
            "gfortran@.5",
            "openblas@.0",
            "gomp@.1",
            "cudart@.13",
            "cupti@.13",
            "c10",
            "torch_cpu"
          },
          preloadresource = {
            "/org/bytedeco/openblas/",
            "/org/bytedeco/pytorch/",
            "/org/bytedeco/cuda/"
          })
    },
    target = "org.rpx.agent.engine.Binding")
final class Binding implements InfoMapper {
  @Override
  public void map(InfoMap map) {
    // Nothing is parsed.
  }

  private Binding() {}

  @Namespace("rpx")
  static class Record extends Pointer {
    Record() {
      allocate();
    }

    private native void allocate();

    native @Cast("const int64_t*") LongPointer numbers();

    native @Cast("int64_t") long size();

    native @Cast("const char*") BytePointer text();
  }

  @Namespace("rpx")
  static class Session extends Pointer {
    Session(String path, String device) throws NativeException {
      allocate(path, device);
    }

    private native void allocate(
        @Cast("const char*") String path, @Cast("const char*") String device)
        throws NativeException;

    Session(String path, String device, long[] numbers, String text) throws NativeException {
      allocate(path, device, numbers, numbers.length, text);
    }

    private native void allocate(
        @Cast("const char*") String path,
        @Cast("const char*") String device,
        @Cast("const int64_t*") long[] numbers,
        @Cast("int64_t") long size,
        @Cast("const char*") String text)
        throws NativeException;

    Session(String archive, String device, String model, boolean weights) throws NativeException {
      allocate(archive, device, model, weights);
    }

    private native void allocate(
        @Cast("const char*") String archive,
        @Cast("const char*") String device,
        @Cast("const char*") String model,
        @Cast("bool") boolean weights)
        throws NativeException;

    native void signature(Record out) throws NativeException;

    native void weights(Record out) throws NativeException;

    native void cast(@Cast("const char*") String dtype) throws NativeException;

    native void inputs(
        @Cast("const int64_t*") long[] numbers,
        @Cast("int64_t") long size,
        @Cast("const char*") String text,
        @Cast("int64_t") long seed)
        throws NativeException;

    native void tensors(@Cast("bool") boolean outputs, Record out) throws NativeException;

    native void threads(int operators, int blas) throws NativeException;

    native @Cast("int64_t") long run() throws NativeException;

    native void bind(
        @Cast("bool") boolean outputs,
        @Cast("const int64_t*") long[] addresses,
        @Cast("int64_t") long n)
        throws NativeException;

    native void step() throws NativeException;

    native void enqueue() throws NativeException;

    native @Cast("bool") boolean ready() throws NativeException;

    native void restore() throws NativeException;

    native void trace(Record out) throws NativeException;

    native @Cast("int64_t") long time(
        @Cast("int64_t*") LongPointer start,
        @Cast("int64_t*") LongPointer duration,
        @Cast("int64_t*") LongPointer device,
        @Cast("int64_t") long n,
        @Cast("int64_t") long limit,
        @Cast("volatile int64_t*") LongPointer done)
        throws NativeException;

    native void between(@Cast("int64_t") long period, @Cast("int64_t") long flush)
        throws NativeException;

    native @Name("timer_floor") @Cast("int64_t") long timerFloor() throws NativeException;

    native void transfers(@Cast("int64_t") long rounds, Record out) throws NativeException;

    native @Name("tensor_peak") @Cast("int64_t") long tensorPeak() throws NativeException;

    native void cancel() throws NativeException;
  }

  @Namespace("rpx")
  static native void device(@Cast("const char*") String name, Record out) throws NativeException;

  @Namespace("rpx")
  static native void memory(
      @Cast("const char*") String device, @Cast("bool") boolean reset, Record out)
      throws NativeException;

  @Namespace("rpx")
  @Name("host_room")
  static native void hostRoom(@Cast("int64_t") long bytes) throws NativeException;

  @Namespace("rpx")
  static class Memory extends Pointer {
    Memory(String device, long bytes) throws NativeException {
      allocate(device, bytes);
    }

    private native void allocate(@Cast("const char*") String device, @Cast("int64_t") long bytes)
        throws NativeException;

    // Pointer has an address() of its own.
    native @Name("address") @Cast("int64_t") long start();
  }

  @Namespace("rpx")
  static class Pairs extends Pointer {
    Pairs(String device, int n) throws NativeException {
      allocate(device, n);
    }

    private native void allocate(@Cast("const char*") String device, int n) throws NativeException;

    native void start() throws NativeException;

    native void end() throws NativeException;

    native @Cast("int64_t") long collect() throws NativeException;
  }

  @Namespace("rpx")
  static native void library(Record out) throws NativeException;

  @Namespace("rpx")
  static native void nvml(@Cast("const char*") String library, Record out) throws NativeException;

  @Namespace("rpx")
  static native void cudart(@Cast("const char*") String library, Record out) throws NativeException;

  @Namespace("rpx")
  static native void operators(@Cast("const char*") String path) throws NativeException;

  @Namespace("rpx")
  static native void pin(@Cast("const int64_t*") long[] cpus, @Cast("int64_t") long n)
      throws NativeException;

  @Namespace("rpx")
  static native void leave(int code);

  @Namespace("rpx")
  @Name("resident_peak")
  static native @Cast("int64_t") long residentPeak() throws NativeException;

  @Namespace("rpx")
  @Name("reset_resident_peak")
  static native @Cast("bool") boolean resetResidentPeak() throws NativeException;
}
