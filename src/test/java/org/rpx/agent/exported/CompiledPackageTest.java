package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packages without a line of code in them: nothing is loaded here. */
class CompiledPackageTest {
  private static final String MODEL = "p/data/aotinductor/model/";
  @TempDir Path folder;
  private final TestArchive archive = new TestArchive();

  @BeforeEach
  void fill() {
    put("p/archive_format", "pt2");
    put(MODEL + "c1.wrapper.so", elf(1, 62));
    put(
        MODEL + "c1.wrapper_metadata.json",
        "{\"AOTI_DEVICE_KEY\": \"cpu\", \"AOTI_PLATFORM\": \"linux\", \"AOTI_MACHINE\": \"x86_64\","
            + " \"AOTI_CPU_ISA\": \"AVX2\", \"AOTI_COMPUTE_CAPABILITY\": \"\", \"other\": [1]}");
  }

  private void put(String name, String text) {
    archive.members.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private void put(String name, byte[] bytes) {
    archive.members.put(name, bytes);
  }

  /** The head of an ELF file: data 1 is little-endian, 2 big-endian; e_machine at byte 18. */
  private static byte[] elf(int data, int machine) {
    byte[] bytes = new byte[64];
    System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, (byte) data, 1}, 0, bytes, 0, 7);
    bytes[data == 1 ? 18 : 19] = (byte) machine;
    return bytes;
  }

  private Path write() throws IOException {
    return archive.write(folder.resolve("p.pt2"));
  }

  private void refused(String... says) throws IOException {
    Path file = write();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompiledPackage.read(file).repack(folder.resolve("copy.pt2"), "mark"))
        .withMessageStartingWith(file + ": ")
        .satisfies(e -> assertThat(e.getMessage()).contains(says).doesNotContain("\n"));
  }

  @Test
  void saysWhatItWasCompiledFor() throws IOException {
    assertThat(CompiledPackage.read(write()).target())
        .isEqualTo(new Target("cpu", "linux", "x86_64", "AVX2", 62));
    put(MODEL + "c1.wrapper.so", elf(2, 22));
    assertThat(CompiledPackage.read(write()).target().elfMachine()).isEqualTo(22);
    put(MODEL + "c1.wrapper.so", "no library of this kind");
    assertThat(CompiledPackage.read(write()).target().elfMachine()).isNull();
  }

  @Test
  void isToldFromAnExportedProgram() throws IOException {
    assertThat(CompiledPackage.is(write())).isTrue();
    put("p/models/model.json", "{}");
    assertThat(CompiledPackage.is(write())).isFalse();
    assertThat(CompiledPackage.is(folder.resolve("none.pt2"))).isFalse();
  }

  /** The members of an archive in their order, with their texts. */
  private static Map<String, String> members(Path file) throws IOException {
    Map<String, String> members = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(file))) {
      for (ZipEntry entry; (entry = in.getNextEntry()) != null; )
        members.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
    }
    return members;
  }

  @Test
  void packsTheModelAndItsConstantsOnly() throws IOException {
    put(MODEL + "c1.weights.blob", "12345678");
    put(MODEL + "c1.wrapper.cpp", "int main;");
    put(MODEL + "c2.kernel.cpp", "int kernel;");
    put(MODEL + "c2.kernel_metadata.json", "{\"AOTI_DEVICE_KEY\": \"cpu\"}");
    put(MODEL + "constants.o", "abc");
    put("p/data/constants/constant_0", "abc");
    put("p/data/weights/weight_0", "abc");
    put("p/data/aotinductor/model_b/c2.wrapper.so", elf(1, 62));
    CompiledPackage read = CompiledPackage.read(write());
    Path copy = folder.resolve("copy.pt2");

    String marked = read.repack(copy, "mark");

    assertThat(marked).isEqualTo(MODEL + "mark");
    assertThat(read.model()).isEqualTo("model");
    assertThat(read.hasSeparateWeights()).isTrue();
    Map<String, String> members = members(copy);
    assertThat(members.keySet())
        .startsWith("p/archive_format", MODEL + "mark")
        .containsExactlyInAnyOrder(
            "p/archive_format",
            MODEL + "mark",
            MODEL + "c1.wrapper.so",
            MODEL + "c1.wrapper_metadata.json",
            MODEL + "c1.weights.blob",
            MODEL + "c2.kernel_metadata.json",
            MODEL + "constant_0",
            MODEL + "c1.wrapper.cpp");
    assertThat(members)
        .containsEntry(MODEL + "mark", "")
        .containsEntry(MODEL + "c1.wrapper.cpp", "")
        .containsEntry(MODEL + "c1.weights.blob", "12345678")
        .containsEntry(
            MODEL + "c1.wrapper.so", new String(elf(1, 62), StandardCharsets.ISO_8859_1));
  }

  /** The loader tells that there is none by the first two names, which then differ. */
  @Test
  void anArchiveWithoutAFolderOfItsOwnStaysSo() throws IOException {
    archive.members.clear();
    String model = "data/aotinductor/policy/";
    put("archive_format", "pt2");
    put(model + "c1.so", elf(1, 62));
    put(model + "c1_metadata.json", "{\"AOTI_DEVICE_KEY\": \"cpu\"}");
    CompiledPackage read = CompiledPackage.read(write());
    Path copy = folder.resolve("copy.pt2");

    assertThat(read.repack(copy, "mark")).isEqualTo(model + "mark");
    assertThat(read.model()).isEqualTo("policy");
    assertThat(read.hasSeparateWeights()).isFalse();
    assertThat(members(copy).keySet())
        .containsExactly(
            "archive_format",
            model + "mark",
            model + "c1.so",
            model + "c1_metadata.json",
            model + "c1.cpp");
  }

  @Test
  void withoutMetadataTheLoaderKnowsNoDevice() throws IOException {
    archive.members.remove(MODEL + "c1.wrapper_metadata.json");
    refused("does not say what its library was compiled for", "compile it again");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/x.so",
        "../x.so",
        "p/data/aotinductor/model/../../../../x",
        "p/data/aotinductor/model/..",
        "p/data/aotinductor/model/a\\..\\b",
        "p/./x",
        "p/data/constants/a\u0000b"
      })
  void aNameThatLeavesItsFolderIsRefused(String name) throws IOException {
    put(name, "x");
    refused("would not stay in its folder", "do not use this file");
  }

  @Test
  void aBombIsRefused() throws IOException {
    put(MODEL + "big", new byte[80 << 20]);
    refused("unpacks to more than 100 times its size");
  }

  @Test
  void aDamagedMemberIsRefused() throws IOException {
    Path file = write();
    byte[] bytes = Files.readAllBytes(file);
    // In the archive's directory, in front of the name: the checksum that the member is to have.
    int name = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf(MODEL + "c1.wrapper.so");
    bytes[name - 46 + 16] ^= 1;
    Files.write(file, bytes);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompiledPackage.read(file).repack(folder.resolve("copy.pt2"), "mark"))
        .withMessageContaining("copy or export it again");
  }

  @Test
  void aLibraryThatIsCutOffIsRefused() throws IOException {
    byte[] library = elf(1, 62);
    // A table of two sections of 64 bytes each, from byte 64 on; the file has 64 bytes.
    library[0x28] = 64;
    library[0x3a] = 64;
    library[0x3c] = 2;
    put(MODEL + "c1.wrapper.so", library);
    refused("is cut off", "compile it again");
    put(MODEL + "c1.wrapper.so", Arrays.copyOf(library, 64 + 128));
    assertThat(CompiledPackage.read(write()).target().elfMachine()).isEqualTo(62);
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    archive.members.remove(MODEL + "c1.wrapper.so");
    put(MODEL + "c1.wrapper.cpp", "int main;");
    refused("without a compiled library", "package_cpp_only");
  }

  @Test
  void severalModelsNeedAName() throws IOException {
    archive.members.keySet().removeIf(n -> n.startsWith(MODEL));
    for (String model : List.of("a", "b"))
      put("p/data/aotinductor/" + model + "/c.wrapper.so", elf(1, 62));
    refused("several models (a, b)");
  }

  @Test
  void malformedMetadataIsSaid() throws IOException {
    put(MODEL + "c1.wrapper_metadata.json", "{\"AOTI_DEVICE_KEY\": 3}");
    refused("c1.wrapper_metadata.json", "is not a text");
  }
}
