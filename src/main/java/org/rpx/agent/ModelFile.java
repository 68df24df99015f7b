package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;

/**
 * A model file before LibTorch sees it: what it is, and whether it is whole. LibTorch itself checks
 * no checksums.
 */
final class ModelFile {
  private static final long SMALL = 8 << 20;

  private final Path path;
  private String sha256;

  private ModelFile(Path path) {
    this.path = path;
  }

  /**
   * Looks at a file that should hold TorchScript.
   *
   * @throws NativeException MODEL_FORMAT where it is something else, or damaged; the text names the
   *     file and the remedy
   */
  static ModelFile torchScript(Path path) {
    ModelFile file = new ModelFile(path);
    file.check();
    return file;
  }

  /** A file that is looked at elsewhere. */
  static ModelFile of(Path path) {
    return new ModelFile(path);
  }

  Path path() {
    return path;
  }

  long bytes() {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw wrong("cannot be read: " + reason(e));
    }
  }

  /** Hashes a small file now, while there is time; a larger one when its hash is asked for. */
  ModelFile hashed() {
    if (bytes() <= SMALL) sha256();
    return this;
  }

  /** SHA-256 of the file, in hex. */
  String sha256() {
    if (sha256 == null) sha256 = hash();
    return sha256;
  }

  private String hash() {
    try (InputStream in = Files.newInputStream(path)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n; (n = in.read(buffer)) >= 0; ) digest.update(buffer, 0, n);
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw wrong("cannot be read: " + reason(e));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check() {
    if (!Files.exists(path)) throw wrong(": no such file");
    if (Files.isDirectory(path)) throw wrong("is a folder: name the model file in it");
    if (!Files.isReadable(path)) throw wrong("may not be read: check its permissions");
    if (bytes() == 0) throw wrong("is empty: export the model again");
    byte[] start = start();
    if (start.length > 1 && (start[0] & 0xff) == 0x80 && start[1] == 2) throw wrong(NO_CODE);
    if (start.length < 4 || start[0] != 'P' || start[1] != 'K') {
      throw wrong(
          "is not a TorchScript file (not a zip archive): write one with torch.jit.script(model).save(\"model.pt\")");
    }
    try (ZipFile zip = new ZipFile(path.toFile())) {
      List<? extends ZipEntry> entries = zip.stream().toList();
      List<String> names = entries.stream().map(ZipEntry::getName).toList();
      if (!inFolder(names, "constants.pkl")) {
        if (inFolder(names, "data.pkl")) throw wrong(NO_CODE);
        throw wrong(
            "is a zip archive, but not a TorchScript file: write one with torch.jit.script(model).save(\"model.pt\")");
      }
      for (ZipEntry entry : entries) verify(zip, entry);
    } catch (IOException | IllegalArgumentException e) {
      throw wrong("is damaged (" + reason(e) + "): copy or export it again");
    }
  }

  private static final String NO_CODE =
      "holds a Python state_dict or pickled object, no code that could run: export the whole model with"
          + " torch.jit.script(model).save(\"model.pt\")";

  private static boolean inFolder(List<String> names, String file) {
    return names.stream()
        .anyMatch(n -> n.endsWith("/" + file) && n.indexOf('/') == n.lastIndexOf('/'));
  }

  private void verify(ZipFile zip, ZipEntry entry) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long size = 0;
    CRC32 crc = new CRC32();
    try (InputStream in = new CheckedInputStream(zip.getInputStream(entry), crc)) {
      for (int n; (n = in.read(buffer)) >= 0; ) {
        size += n;
        if (size > entry.getSize()) break;
      }
    }
    if (size != entry.getSize() || crc.getValue() != entry.getCrc()) {
      throw new IOException("wrong checksum of " + printable(entry.getName()));
    }
  }

  private byte[] start() {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(4);
    } catch (IOException e) {
      throw wrong("cannot be read: " + reason(e));
    }
  }

  private static String reason(Exception e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return printable(text);
  }

  private static String printable(String text) {
    int[] kept =
        text.codePoints().map(c -> Character.isISOControl(c) || c == 0xFFFD ? '?' : c).toArray();
    return new String(
        Arrays.copyOf(kept, Math.min(kept.length, 200)), 0, Math.min(kept.length, 200));
  }

  private NativeException wrong(String what) {
    return new NativeException(
        Code.MODEL_FORMAT, path + (what.startsWith(":") ? what : " " + what));
  }
}
