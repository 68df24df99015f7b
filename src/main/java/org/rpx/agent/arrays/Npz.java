package org.rpx.agent.arrays;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.trace.InputSpec;

/** Reads the arrays that numpy.savez wrote: a zip of .npy members, stored or deflated. */
final class Npz {
  /** Of all arrays together. */
  private static final long LARGEST = 4L << 30;

  /** Deflate shrinks no more than 1032 times: what says so lies. */
  private static final long MOST_SHRUNK = 1032;

  private static final String ENDING = ".npy";

  private final Path file;
  private final ZipFile zip;
  private long bytes;

  private Npz(Path file, ZipFile zip) {
    this.file = file;
    this.zip = zip;
  }

  /** Whether a file is a zip archive, whatever its name. */
  static boolean isArchive(Path file) {
    if (!Files.isRegularFile(file)) return false;
    try (InputStream in = new FileInputStream(file.toFile())) {
      return in.read() == 'P' && in.read() == 'K';
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The arrays by name, in the archive's order; a name is only ever a name, never a path.
   *
   * @throws IllegalArgumentException that names the file, where it is damaged, has a member that is
   *     no array, or more than 4 GiB of data
   */
  static Map<String, InputSpec.Tensor> read(Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return new Npz(file, zip).arrays();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          file
              + ": is damaged ("
              + PlainText.of(Reason.of(e))
              + "); copy it again, or write it with numpy.savez");
    }
  }

  private Map<String, InputSpec.Tensor> arrays() throws IOException {
    Map<String, InputSpec.Tensor> arrays = new LinkedHashMap<>();
    List<? extends ZipEntry> members = Collections.list(zip.entries());
    if (members.isEmpty()) throw wrong("holds no arrays; write some with numpy.savez");
    for (ZipEntry member : members) {
      String key = member.getName();
      if (!key.endsWith(ENDING))
        throw wrong("holds " + PlainText.of(key) + ", which is no .npy; write it with numpy.savez");
      key = key.substring(0, key.length() - ENDING.length());
      if (arrays.put(key, array(PlainText.of(key), member)) != null)
        throw wrong("holds " + PlainText.of(key) + " twice; keep one");
    }
    return arrays;
  }

  private InputSpec.Tensor array(String key, ZipEntry member) throws IOException {
    long size = member.getSize();
    long packed = member.getCompressedSize();
    // Believed only then: memory is taken before anything is unpacked.
    if (size < 0 || packed > Files.size(file) || size / MOST_SHRUNK > packed)
      throw wrong(key + " cannot be as large as the archive says; copy it again");
    bytes += size;
    if (bytes > LARGEST) throw wrong("holds more than 4 GiB of arrays; give a smaller batch");
    InputStream unpacked = zip.getInputStream(member);
    if (unpacked == null) throw wrong(key + " cannot be unpacked; copy the archive again");
    try (CheckedInputStream in = new CheckedInputStream(unpacked, new CRC32())) {
      InputSpec.Tensor array =
          new Npy(file + "[" + key + "]", Channels.newChannel(in), size).tensor(null);
      if (in.read() >= 0) throw wrong(key + " goes on behind its end; copy the archive again");
      if (in.getChecksum().getValue() != member.getCrc())
        throw wrong(key + " has another checksum than the archive says; copy it again");
      return array;
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
