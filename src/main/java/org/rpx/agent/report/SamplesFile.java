package org.rpx.agent.report;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.rpx.agent.measure.Samples;

/**
 * Samples that are too many for a JSON file, in a file of NumPy's beside it: {@code starts,
 * durations = numpy.load(file)}, both int64, in nanoseconds. Version 1.0 of the .npy format, shape
 * (2, samples).
 *
 * @param name of the file, without a folder: it lies beside the report
 * @param crc32 of the whole file, so that a report is not read with another's samples
 */
public record SamplesFile(String name, long crc32) {
  /** With more samples than this a report's lists go to a file. */
  public static final int MOST_INLINE = 100_000;

  private static final int MOST = 10_000_000;
  private static final int PREAMBLE = 10;
  private static final int HEADER = 128;
  private static final int CHUNK = 1 << 16;
  private static final Pattern DICT =
      Pattern.compile(
          "\\{'descr': '<i8', 'fortran_order': False, 'shape': \\(2, (\\d{1,9})\\), \\} *\n");

  /** The name of the file beside a report. */
  public static String nameBeside(Path report) {
    return report.getFileName() + ".samples.npy";
  }

  /**
   * Writes samples as a stream, so that their number costs no memory.
   *
   * @param out flushed, not closed
   * @return the CRC-32 of what was written
   */
  public static long write(Samples samples, OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32());
    checked.write(header(samples.count()));
    write(samples.count(), samples::startNs, checked);
    write(samples.count(), samples::durationNs, checked);
    checked.flush();
    return checked.getChecksum().getValue();
  }

  /**
   * Reads samples back.
   *
   * @param folder of the report
   * @param report as errors name it
   * @throws IllegalArgumentException if the file is missing, is no such file or another report's
   */
  Samples read(Path folder, String report) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.isRegularFile(file))
      throw wrong(report, "its samples lie in " + file + ", which is missing; keep both together");
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), CHUNK)) {
      CheckedInputStream checked = new CheckedInputStream(in, new CRC32());
      DataInputStream data = new DataInputStream(checked);
      int count = count(data, file);
      if (Files.size(file) != HEADER + 16L * count) throw broken(file);
      long[] starts = read(data, count);
      long[] durations = read(data, count);
      if (checked.getChecksum().getValue() != crc32)
        throw wrong(report, file + " holds other samples than this report's; measure again");
      return Samples.owning(starts, durations);
    }
  }

  private static byte[] header(int count) {
    String dict = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, " + count + "), }";
    ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.put((byte) 0x93).put("NUMPY\1\0".getBytes(StandardCharsets.US_ASCII));
    header.putShort((short) (HEADER - PREAMBLE));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) header.put((byte) ' ');
    return header.put((byte) '\n').array();
  }

  private static void write(int count, IntToLongFunction ns, OutputStream out) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      chunk.putLong(ns.applyAsLong(i));
      if (chunk.hasRemaining() && i < count - 1) continue;
      out.write(chunk.array(), 0, chunk.position());
      chunk.clear();
    }
  }

  private static int count(DataInputStream in, Path file) throws IOException {
    byte[] header = in.readNBytes(HEADER);
    if (header.length < HEADER || header[0] != (byte) 0x93 || header[8] != HEADER - PREAMBLE)
      throw broken(file);
    String dict = new String(header, PREAMBLE, HEADER - PREAMBLE, StandardCharsets.ISO_8859_1);
    Matcher matcher = DICT.matcher(dict);
    if (!matcher.matches()) throw broken(file);
    int count = Integer.parseInt(matcher.group(1));
    if (count > MOST)
      throw wrong(file.toString(), "goes beyond " + MOST + " samples; profile with fewer");
    return count;
  }

  private static long[] read(DataInputStream in, int count) throws IOException {
    long[] ns = new long[count];
    byte[] chunk = new byte[CHUNK];
    for (int i = 0; i < count; ) {
      int n = Math.min(CHUNK / 8, count - i);
      in.readFully(chunk, 0, 8 * n);
      ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(ns, i, n);
      i += n;
    }
    return ns;
  }

  private static IllegalArgumentException broken(Path file) {
    return wrong(file.toString(), "is no file of samples that rpx-agent wrote, or is cut off");
  }

  private static IllegalArgumentException wrong(String what, String why) {
    return new IllegalArgumentException(what + ": " + why);
  }
}
