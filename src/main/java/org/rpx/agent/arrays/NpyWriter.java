package org.rpx.agent.arrays;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** Writes one array as numpy.save does: .npy version 1.0, C order, the machine's byte order. */
final class NpyWriter {
  /** The data of a file begins at a multiple of it. */
  private static final int ALIGNMENT = 64;

  private static final int PREAMBLE = 10;
  private static final int CHUNK = 1 << 16;

  private NpyWriter() {}

  static void write(NamedArray array, OutputStream out) throws IOException {
    out.write(header(array));
    if (array.widened()) widen(array, out);
    else copy(array.bytes().duplicate(), out);
  }

  private static byte[] header(NamedArray array) {
    String sizes = array.shape().stream().map(String::valueOf).collect(Collectors.joining(", "));
    String dict =
        "{'descr': '"
            + NpyDtype.descr(array.dtype())
            + "', 'fortran_order': False, 'shape': ("
            + sizes
            + (array.shape().size() == 1 ? "," : "")
            + "), }";
    int length = PREAMBLE + dict.length() + 1;
    length += (ALIGNMENT - length % ALIGNMENT) % ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    header.put((byte) 0x93).put("NUMPY\1\0".getBytes(StandardCharsets.US_ASCII));
    header.putShort((short) (length - PREAMBLE));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) header.put((byte) ' ');
    return header.put((byte) '\n').array();
  }

  private static void copy(ByteBuffer from, OutputStream out) throws IOException {
    byte[] chunk = new byte[CHUNK];
    while (from.hasRemaining()) {
      int n = Math.min(CHUNK, from.remaining());
      from.get(chunk, 0, n);
      out.write(chunk, 0, n);
    }
  }

  private static void widen(NamedArray array, OutputStream out) throws IOException {
    Elements elements = new Elements(array);
    int count = array.bytes().remaining() / 2;
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      chunk.putFloat(elements.bfloat16(i));
      if (chunk.hasRemaining() && i < count - 1) continue;
      out.write(chunk.array(), 0, chunk.position());
      chunk.clear();
    }
  }
}
