package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/** Files of torch 2.10's torch.save of arange(12).reshape(3, 4), its views and others. */
class TensorFileTest {
  @TempDir Path folder;

  @Test
  void aTensorIsItself() {
    InputSpec.Tensor x = tensor(TensorFile.read(saved("tensor")));

    assertThat(TensorFile.is(saved("tensor"))).isTrue();
    assertThat(x.shape()).containsExactly(3L, 4L);
    assertThat(x.dtype()).isEqualTo("float32");
    assertThat(x.name()).isNull();
    assertThat(floats(x)).containsExactly(0f, 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f, 9f, 10f, 11f);
  }

  @Test
  void tuplesNest() {
    InputSpec.Sequence all = (InputSpec.Sequence) TensorFile.read(saved("tuple"));

    assertThat(all.items()).hasSize(2);
    InputSpec.Sequence inner = (InputSpec.Sequence) all.items().get(1);
    assertThat(tensor(inner.items().get(0)).shape()).isEmpty();
    assertThat(bytes(inner.items().get(0)).getLong()).isEqualTo(7);
    // Both are views of one storage.
    assertThat(floats(inner.items().get(1)))
        .containsExactly(0f, 4f, 8f, 1f, 5f, 9f, 2f, 6f, 10f, 3f, 7f, 11f);
  }

  @Test
  void viewsArePacked() {
    InputSpec.Dict all = (InputSpec.Dict) TensorFile.read(saved("dict"));

    assertThat(floats(all.items().get("view")))
        .containsExactly(0f, 4f, 8f, 1f, 5f, 9f, 2f, 6f, 10f, 3f, 7f, 11f);
    assertThat(floats(all.items().get("every_other"))).containsExactly(4f, 6f, 8f, 10f);
    assertThat(floats(all.items().get("expanded"))).containsExactly(5f, 5f, 5f, 5f, 5f, 5f);
    assertThat(tensor(all.items().get("empty")).shape()).containsExactly(0L, 3L);
    assertThat(bytes(all.items().get("empty")).remaining()).isZero();
  }

  @Test
  void dtypesKeepTheirBytes() {
    InputSpec.Dict all = (InputSpec.Dict) TensorFile.read(saved("dict"));

    InputSpec.Dict batch = (InputSpec.Dict) all.items().get("batch");
    assertThat(tensor(batch.items().get("rgb")).dtype()).isEqualTo("uint8");
    assertThat(bytes(batch.items().get("rgb")).get(1)).isEqualTo((byte) 255);
    assertThat(tensor(batch.items().get("mask")).dtype()).isEqualTo("bool");
    assertThat(bytes(batch.items().get("mask")).getShort()).isEqualTo((short) 1);
    // 1.5 is 3fc0 in bfloat16 and 3e00 in float16.
    assertThat(tensor(all.items().get("state.0")).dtype()).isEqualTo("bfloat16");
    assertThat(bytes(all.items().get("state.0")).getShort()).isEqualTo((short) 0x3fc0);
    assertThat(bytes(all.items().get("state.1")).getShort()).isEqualTo((short) 0x3e00);
    assertThat(bytes(all.items().get("wide")).getDouble()).isEqualTo(1e300);
    assertThat(bytes(all.items().get("ids")).getLong(8)).isEqualTo(1L << 40);
  }

  @Test
  void aRefusedClassNamesItself() {
    assertThatThrownBy(() -> TensorFile.read(saved("module")))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("module.pt: x is torch.nn.modules.linear.Linear, which is not read");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "cos\\nsystem\\nU\\4exit\\205R., it is os.system",
        "}U\\1aK\\5s., a is an int",
        "}K\\5K\\5s., it has a key that is no text",
        "N., it is None",
        "ctorch\\nfloat32\\n., it is torch.float32",
        // A list that holds itself.
        "]q\\0h\\0a., nested too deep",
        "R., its pickle is broken"
      })
  void nothingElseIsRead(String pickle, String says) throws IOException {
    assertThatThrownBy(() -> TensorFile.read(archive(unescaped(pickle), 4)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("made.pt: ", says);
  }

  @Test
  void aSmallPickleOfManyItemsEnds() throws IOException {
    StringBuilder pickle = new StringBuilder("]q\0");
    for (int i = 1; i < 40; i++)
      pickle.append("]q").append((char) i).append(("h" + (char) (i - 1) + "a").repeat(2));
    assertThatThrownBy(() -> TensorFile.read(archive(pickle + ".", 4)))
        .hasMessageContaining("more than 10000 items");
  }

  @Test
  void aTensorBeyondItsDataIsRefused() throws IOException {
    // float32, offset 0, two elements, of which the second is the third of the data.
    String tensor =
        "ctorch._utils\n_rebuild_tensor_v2\n((U\7storagectorch\nFloatStorage\nU\0010U\3cpuK\2tQ"
            + "K\0K\2\205K\2\205\211ccollections\nOrderedDict\n)RtR.";
    assertThat(bytes(TensorFile.read(archive(tensor, 12))).remaining()).isEqualTo(8);
    assertThatThrownBy(() -> TensorFile.read(archive(tensor, 11)))
        .hasMessageContaining("lies outside of its data");
    assertThatThrownBy(() -> TensorFile.read(archive(tensor.replace("U\0010", "U\0011"), 12)))
        .hasMessageContaining("has no data of it");
    String huge = tensor.replace("K\0K\2\205", "K\0\212\10\377\377\377\377\377\377\377\177\205");
    assertThatThrownBy(() -> TensorFile.read(archive(huge, 12)))
        .hasMessageContaining("lies outside of its data");
  }

  @Test
  void damageIsOneLine() throws IOException {
    byte[] whole = Files.readAllBytes(saved("tensor"));
    Path cut = Files.write(folder.resolve("cut.pt"), java.util.Arrays.copyOf(whole, 200));
    assertThatThrownBy(() -> TensorFile.read(cut)).hasMessageContaining("cut.pt: is damaged");
    Path old = Files.write(folder.resolve("old.pt"), new byte[] {(byte) 0x80, 2, (byte) 0x8a});
    assertThat(TensorFile.is(old)).isTrue();
    assertThatThrownBy(() -> TensorFile.read(old)).hasMessageContaining("before 1.6");
    Path model = Path.of("src/test/resources/models/identity.pt");
    assertThatThrownBy(() -> TensorFile.read(model)).hasMessageContaining("a TorchScript model");
    // 1.0 as float32, anywhere but in a file's directory.
    byte[] changed = whole.clone();
    int at = new String(whole, StandardCharsets.ISO_8859_1).indexOf("\0\0\200\77");
    changed[at] = 1;
    Path flipped = Files.write(folder.resolve("flipped.pt"), changed);
    assertThatThrownBy(() -> TensorFile.read(flipped)).hasMessageContaining("another checksum");
  }

  private Path archive(String pickle, int bytes) throws IOException {
    TestArchive archive = new TestArchive();
    archive.members.put("made/data.pkl", pickle.getBytes(StandardCharsets.ISO_8859_1));
    archive.members.put("made/data/0", new byte[bytes]);
    return archive.write(folder.resolve("made.pt"));
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != '\\') plain.append(text.charAt(i));
      else if (text.charAt(++i) == 'n') plain.append('\n');
      else {
        int end = i;
        while (end < text.length() && Character.isDigit(text.charAt(end))) end++;
        plain.append((char) Integer.parseInt(text.substring(i, end), 8));
        i = end - 1;
      }
    }
    return plain.toString();
  }

  private static Path saved(String name) {
    try {
      return Path.of(TensorFileTest.class.getResource("/saved/" + name + ".pt").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InputSpec.Tensor tensor(InputSpec input) {
    return (InputSpec.Tensor) input;
  }

  private static ByteBuffer bytes(InputSpec input) {
    return ((Values.File) tensor(input).values()).bytes();
  }

  private static List<Float> floats(InputSpec input) {
    java.nio.FloatBuffer all = bytes(input).asFloatBuffer();
    List<Float> list = new java.util.ArrayList<>();
    while (all.hasRemaining()) list.add(all.get());
    return list;
  }
}
