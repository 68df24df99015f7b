package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.InputSpec;

class ArrayFileTest {
  @TempDir Path folder;

  @Test
  void anNpyIsOneInput() {
    Path file = NpyFiles.write(folder.resolve("x.npz"), array(5));

    assertThat(ArrayFile.read(null, file))
        .extracting(InputSpec::name)
        .containsExactly((String) null);
    assertThat(ArrayFile.read("y", file)).extracting(InputSpec::name).containsExactly("y");
  }

  @Test
  void anNpzNamesItsInputs() {
    List<InputSpec> inputs = read("x", "in1", "größe");

    assertThat(inputs).extracting(InputSpec::name).containsExactly("x", "in1", "größe");
    assertThat(inputs).allMatch(i -> i instanceof InputSpec.Tensor);
  }

  @Test
  void dotsNest() {
    List<InputSpec> inputs = read("state.1", "x.a.0", "state.0", "x.b c");

    assertThat(inputs).extracting(InputSpec::name).containsExactly("state", "x");
    InputSpec.Sequence state = (InputSpec.Sequence) inputs.get(0);
    assertThat(state.kind()).isEqualTo("tuple");
    // Each array has its place in the archive as its length.
    assertThat(state.items()).extracting(i -> length(i)).containsExactly(3L, 1L);
    InputSpec.Dict x = (InputSpec.Dict) inputs.get(1);
    assertThat(x.items().keySet()).containsExactly("a", "b c");
    assertThat(x.items().get("a")).isInstanceOf(InputSpec.Sequence.class);
    assertThat(length(x.items().get("b c"))).isEqualTo(4);
    // Not counting from 0 without a gap: keys.
    assertThat(read("s.0", "s.2").get(0)).isInstanceOf(InputSpec.Dict.class);
  }

  @ParameterizedTest
  @CsvSource({
    "../x, no input's name",
    "/etc/passwd, no input's name",
    "x..y, no input's name",
    "x.a/b, no input's name",
    "x.a\\b, no input's name",
    "'', no input's name",
    "1, no input's name",
    "x., no input's name"
  })
  void pathsAreNoNames(String name, String says) {
    assertThatThrownBy(() -> read(name))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("in.npz: ", "\"" + name + "\"", says);
  }

  @Test
  void namesThatExcludeEachOther() {
    assertThatThrownBy(() -> read("x", "x.0")).hasMessageContaining("\"x.0\" is one input");
    assertThatThrownBy(() -> read("x.0.a", "x.0")).hasMessageContaining("\"x.0\" is one input");
    assertThatThrownBy(() -> read("x" + ".0".repeat(30_000))).hasMessageContaining("100 levels");
    assertThatThrownBy(() -> ArrayFile.read("y", folder.resolve("in.npz")))
        .hasMessageContaining("leave out y=");
  }

  @Test
  void aFileOfTorchSaveIsByNameOrByPlace() {
    Path saved = Path.of("src/test/resources/saved");
    List<InputSpec> named = ArrayFile.read(null, saved.resolve("dict.pt"));
    assertThat(named)
        .extracting(InputSpec::name)
        .containsExactly(
            "view", "every_other", "expanded", "batch", "state", "empty", "wide", "ids");
    // Dotted keys nest as those of an .npz.
    assertThat(((InputSpec.Sequence) named.get(4)).items()).hasSize(2);
    assertThat(ArrayFile.read(null, saved.resolve("tuple.pt"))).hasSize(2);
    assertThat(ArrayFile.read("state", saved.resolve("tuple.pt")))
        .singleElement()
        .matches(i -> i instanceof InputSpec.Sequence && i.name().equals("state"));
  }

  private List<InputSpec> read(String... names) {
    List<Object> members = new ArrayList<>();
    for (String name : names) {
      members.add(name + ".npy");
      members.add(array(1 + members.size() / 2));
    }
    Path file = NpyFiles.write(folder.resolve("in.npz"), NpzFiles.zip(members.toArray()));
    return ArrayFile.read(null, file);
  }

  private static byte[] array(int length) {
    return npy(1, dict("|i1", false, "(" + length + ",)"), new int[length]);
  }

  private static long length(InputSpec input) {
    return ((InputSpec.Tensor) input).shape().get(0);
  }
}
