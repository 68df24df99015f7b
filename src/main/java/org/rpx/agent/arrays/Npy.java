package org.rpx.agent.arrays;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/** Reads an array that numpy.save wrote: .npy, versions 1.0 to 3.0, without pickles. */
final class Npy {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int MOST_HEADER_BYTES = 1 << 20;
  private static final int PREAMBLE = 12;

  private final String file;
  private final ReadableByteChannel channel;
  private final long size;

  /**
   * @param file what errors and the array's values call it
   * @param channel at the array's first byte
   * @param size bytes of it
   */
  Npy(String file, ReadableByteChannel channel, long size) {
    this.file = file;
    this.channel = channel;
    this.size = size;
  }

  /**
   * The array of a file as an input. It is copied into memory outside of the Java heap, the last
   * dimension innermost and in the machine's byte order, whatever the file has.
   *
   * @param name of forward's argument; null for none
   * @throws IllegalArgumentException that names the file, where it holds no such array
   */
  static InputSpec.Tensor read(String name, Path file) {
    // Nothing that could keep a reader waiting is opened.
    if (!Files.isRegularFile(file)) {
      String what = Files.exists(file) ? "is no file but a folder or device" : "no such file";
      throw wrong(file + ": " + what + "; name an .npy file that numpy.save wrote");
    }
    try (FileChannel channel = FileChannel.open(file)) {
      return new Npy(file.toString(), channel, channel.size()).tensor(name);
    } catch (IOException e) {
      throw wrong(file + ": cannot be read: " + Reason.of(e));
    }
  }

  /** The array, and not a byte behind it. */
  InputSpec.Tensor tensor(String name) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(PREAMBLE).order(ByteOrder.LITTLE_ENDIAN);
    start.limit((int) Math.min(PREAMBLE, size));
    fill(start);
    check(start);
    boolean first = start.get(MAGIC.length) == 1;
    int at = first ? PREAMBLE - 2 : PREAMBLE;
    long length = first ? start.getShort(8) & 0xffffL : start.getInt(8) & 0xffffffffL;
    if (length > MOST_HEADER_BYTES)
      throw said("its header says that it is longer than 1 MiB; it is damaged");
    if (length > size - at) throw said("is cut off inside its header; copy it again");
    ByteBuffer header = ByteBuffer.allocate((int) length);
    // Of version 1 the dict begins inside what was read already.
    header.put(start.array(), at, (int) Math.min(length, PREAMBLE - at));
    fill(header);
    boolean utf8 = start.get(MAGIC.length) == 3;
    String text =
        new String(header.array(), utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    return tensor(name, parsed(text), at + length);
  }

  private void check(ByteBuffer start) {
    int bytes = start.limit();
    if (bytes == 0) throw said("is empty; save the array again");
    if (bytes >= 2 && start.get(0) == 'P' && start.get(1) == 'K')
      throw said(
          "is a zip archive, as .npz files are; give it to --input-file, or unpack it and name an .npy of it");
    if (bytes < PREAMBLE || !start.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC)))
      throw said("is no .npy file; write it with numpy.save");
    int major = start.get(MAGIC.length) & 0xff;
    int minor = start.get(MAGIC.length + 1) & 0xff;
    if (major < 1 || major > 3 || minor != 0) {
      throw said(
          "is of the .npy version "
              + major
              + "."
              + minor
              + "; there are 1.0, 2.0 and 3.0: save it again with numpy.save");
    }
  }

  private NpyHeader parsed(String text) {
    try {
      return new NpyHeaderReader(text).read();
    } catch (IllegalArgumentException e) {
      throw said(e.getMessage());
    }
  }

  private InputSpec.Tensor tensor(String name, NpyHeader header, long at) throws IOException {
    BigInteger wanted = header.bytes();
    if (!wanted.equals(BigInteger.valueOf(size - at))) {
      throw said(
          "has "
              + (size - at)
              + " bytes of data, its header wants "
              + wanted
              + "; copy or save it again, one array in a file");
    }
    if (size - at > Integer.MAX_VALUE)
      throw said("has more than 2 GiB of data; give a smaller batch");
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) (size - at));
    // Not mapped: a mapped file that is cut short meanwhile ends the process.
    fill(bytes);
    bytes.flip();
    if (header.dtype().equals("bool")) checkTruth(bytes);
    if (!header.isAsInMemory()) bytes = Arrangement.inMemory(bytes, header);
    return new InputSpec.Tensor(name, header.shape(), header.dtype(), new Values.File(file, bytes));
  }

  /** LibTorch takes any other byte for neither. */
  private void checkTruth(ByteBuffer bytes) {
    for (int i = 0; i < bytes.limit(); i++) {
      if ((bytes.get(i) & 0xfe) != 0)
        throw said("has a truth value that is neither 0 nor 1; save it again");
    }
  }

  private void fill(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) throw said("was cut short while it was read; try again");
    }
  }

  private IllegalArgumentException said(String what) {
    return wrong(file + ": " + what);
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what);
  }
}
