package org.rpx.agent.arrays;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** .npy files byte by byte, after numpy's description of the format (NEP 1). */
public final class NpyFiles {
  private NpyFiles() {}

  /** The dict as numpy writes it. */
  public static String dict(String descr, boolean fortran, String shape) {
    return "{'descr': '"
        + descr
        + "', 'fortran_order': "
        + (fortran ? "True" : "False")
        + ", 'shape': "
        + shape
        + ", }";
  }

  /** A file of a version, its header's length true. */
  public static byte[] npy(int major, String dict, int... data) {
    byte[] header = (dict + "   \n").getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int b : new int[] {0x93, 'N', 'U', 'M', 'P', 'Y', major, 0}) out.write(b);
    out.write(header.length & 0xff);
    out.write(header.length >> 8);
    if (major > 1) {
      out.write(0);
      out.write(0);
    }
    out.writeBytes(header);
    for (int b : data) out.write(b);
    return out.toByteArray();
  }

  public static Path write(Path file, byte[] bytes) {
    try {
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
