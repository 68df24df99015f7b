package org.rpx.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;

class ModelFileTest {
  private static final Path MODELS = Path.of("src/test/resources/models");
  private static final String EXPORT_AGAIN = "copy or export it again";
  private static final String SCRIPT = "torch.jit.script(model).save(\"model.pt\")";

  @TempDir Path folder;

  @Test
  void aWholeFilePasses() throws Exception {
    Path path = MODELS.resolve("bn_train.pt");
    byte[] bytes = Files.readAllBytes(path);

    ModelFile file = ModelFile.torchScript(path);

    assertThat(file.path()).isEqualTo(path);
    assertThat(file.bytes()).isEqualTo(bytes.length);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
    assertThat(file.sha256()).isEqualTo(HexFormat.of().formatHex(digest));
  }

  @Test
  void missing() {
    refused(folder.resolve("none.pt"), "no such file");
  }

  @Test
  void aFolder() {
    refused(folder, "is a folder", "name the model file in it");
  }

  @Test
  void empty() throws IOException {
    refused(file(""), "is empty", "export the model again");
  }

  @Test
  void unreadable() throws IOException {
    Path path = file("PK");
    assumeFalse(
        !path.toFile().setReadable(false) || Files.isReadable(path),
        "this user may read every file, as root may");
    refused(path, "may not be read", "check its permissions");
  }

  @Test
  void text() throws IOException {
    refused(file("import torch\n"), "is not a TorchScript file", SCRIPT);
    refused(file("P"), "is not a TorchScript file", SCRIPT);
  }

  @Test
  void truncated() throws IOException {
    byte[] whole = Files.readAllBytes(MODELS.resolve("bn_train.pt"));
    for (int length : new int[] {4, 100, whole.length / 2, whole.length - 1}) {
      Path path = Files.write(folder.resolve("cut.pt"), Arrays.copyOf(whole, length));
      refused(path, "is damaged (", EXPORT_AGAIN);
    }
  }

  @Test
  void stateDict() {
    refused(MODELS.resolve("state_dict.pt"), "state_dict", "no code that could run", SCRIPT);
  }

  @Test
  void pickleOfAnOldTorch() throws IOException {
    Path path = Files.write(folder.resolve("old.pt"), new byte[] {(byte) 0x80, 2, (byte) 0x8a, 10});
    refused(path, "state_dict", "no code that could run", SCRIPT);
  }

  @Test
  void zipWithoutCode() throws IOException {
    refused(zip("hello.txt", "hello"), "is a zip archive, but not a TorchScript file", SCRIPT);
  }

  @Test
  void wrongChecksum() throws IOException {
    Path path = zip("net/constants.pkl", "the one");
    spoil(path);

    refused(path, "is damaged (wrong checksum of net/constants.pkl)", EXPORT_AGAIN);
  }

  @Test
  void controlCharactersInANameStayOutOfTheText() throws IOException {
    Path path = folder.resolve("archive.pt");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(path))) {
      store(zip, "net/constants.pkl", "fine");
      store(zip, "net/\n\u001b[31m", "the one");
    }
    spoil(path);

    refused(path, "is damaged (wrong checksum of net/??[31m)");
  }

  /** Refused with the file's name, what it says, and in one line. */
  private static void refused(Path path, String... says) {
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> ModelFile.torchScript(path));

    assertThat(e).as("of %s", path).isNotNull();
    assertThat(e.code()).isEqualTo(Code.MODEL_FORMAT);
    assertThat(e.getMessage()).startsWith(path.toString()).contains(says);
    assertThat(e.getMessage().chars()).noneMatch(Character::isISOControl);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("file.pt"), text);
  }

  private Path zip(String name, String content) throws IOException {
    Path path = folder.resolve("archive.pt");
    try (OutputStream out = Files.newOutputStream(path);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      store(zip, name, content);
    }
    return path;
  }

  /** One bit of "the one" is another. */
  private static void spoil(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    bytes[new String(bytes, US_ASCII).indexOf("the one") + 4] ^= 1;
    Files.write(path, bytes);
  }

  /** Uncompressed, as torch.jit.save does it. */
  private static void store(ZipOutputStream zip, String name, String content) throws IOException {
    byte[] bytes = content.getBytes(US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }
}
