package org.rpx.agent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;
import java.util.Set;

/**
 * An input or output of a {@link Session}: what it is, and its memory, which stays where it is for
 * as long as a buffer over it can be reached, also when the session is closed. Elements lie packed,
 * the last dimension closest together. Each call makes a new view, at its beginning: make it before
 * the loop.
 */
public final class SessionTensor {
  private static final Set<String> SHORTS = Set.of("int16", "uint16", "float16", "bfloat16");
  private static final Set<String> INTS = Set.of("int32", "uint32", "qint32");
  private static final Set<String> LONGS = Set.of("int64", "uint64");

  private final String path;
  private final String dtype;
  private final List<Long> shape;
  private final ByteBuffer memory;

  SessionTensor(String path, String dtype, List<Long> shape, ByteBuffer memory) {
    this.path = path;
    this.dtype = dtype;
    this.shape = List.copyOf(shape);
    this.memory = memory;
  }

  /**
   * Where in forward's arguments or in what it gives back the tensor lies: "x", "state.0",
   * "batch.rgb"; in0, in1 … where the file does not tell an argument's name; empty for an output
   * that is given back alone.
   */
  public String path() {
    return path;
  }

  /** PyTorch's name: float32, int64, bfloat16, bool … */
  public String dtype() {
    return dtype;
  }

  /** Sizes of the dimensions; empty for a scalar. */
  public List<Long> shape() {
    return shape;
  }

  /** Its bytes, in the machine's order; of every dtype. */
  public ByteBuffer asByteBuffer() {
    return memory.duplicate().order(ByteOrder.nativeOrder());
  }

  /** float32. Others throw IllegalArgumentException, here and below. */
  public FloatBuffer asFloatBuffer() {
    return of(Set.of("float32"), "asFloatBuffer").asFloatBuffer();
  }

  /** float64. */
  public DoubleBuffer asDoubleBuffer() {
    return of(Set.of("float64"), "asDoubleBuffer").asDoubleBuffer();
  }

  /** int64 and uint64. */
  public LongBuffer asLongBuffer() {
    return of(LONGS, "asLongBuffer").asLongBuffer();
  }

  /** int32 and uint32. */
  public IntBuffer asIntBuffer() {
    return of(INTS, "asIntBuffer").asIntBuffer();
  }

  /** int16 and uint16, and the bits of float16 and bfloat16. */
  public ShortBuffer asShortBuffer() {
    return of(SHORTS, "asShortBuffer").asShortBuffer();
  }

  private ByteBuffer of(Set<String> dtypes, String asked) {
    if (!dtypes.contains(dtype))
      throw new IllegalArgumentException(
          "tensor \"" + path + "\" is " + dtype + ": " + fitting() + "() fits it, not " + asked);
    return asByteBuffer();
  }

  private String fitting() {
    if (dtype.equals("float32")) return "asFloatBuffer";
    if (dtype.equals("float64")) return "asDoubleBuffer";
    if (LONGS.contains(dtype)) return "asLongBuffer";
    if (INTS.contains(dtype)) return "asIntBuffer";
    return SHORTS.contains(dtype) ? "asShortBuffer" : "asByteBuffer";
  }

  /** "x: float32 [1, 3, 224, 224]". */
  @Override
  public String toString() {
    return path + (path.isEmpty() ? "" : ": ") + dtype + " " + shape;
  }
}
