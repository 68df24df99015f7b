package org.rpx.agent.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

class InputsFileTest {
  @TempDir Path folder;

  @Test
  void readsAnObjectByArgument() {
    assertThat(read("{'image': '1x3x224x224:float16', 'steps': 'scalar:int64=5'}"))
        .isEqualTo(specs("image:1x3x224x224:float16", "steps:scalar:int64=5"));
    assertThat(read("{}")).isEmpty();
  }

  @Test
  void readsAnArrayInOrder() {
    assertThat(read("['1x3', 'y:2=1.0', {'shape': [4]}]")).isEqualTo(specs("1x3", "y:2=1.0", "4"));
    assertThat(read("[]")).isEmpty();
  }

  @Test
  void readsDescribedTensors() {
    assertThat(
            read(
                "[{'shape': [1, 3], 'dtype': 'fp16', 'fill': 0.5}, {'fill': 5, 'dtype': 'int64',"
                    + " 'shape': []}, {'shape': [2], 'dtype': 'bool', 'fill': false},"
                    + " {'shape': [2], 'fill': '-inf'}, {'shape': [7], 'range': [0, 1000]},"
                    + " {'shape': [7], 'dtype': 'int8', 'range': [-3, 3]}]"))
        .isEqualTo(
            specs(
                "1x3:fp16=0.5",
                "scalar:int64=5",
                "2:bool=false",
                "2=-inf",
                "7:int64=0..1000",
                "7:int8=-3..3"));
  }

  @Test
  void readsWhatIsNested() {
    assertThat(
            read(
                "{'a': ['1', '2'], 'b': {'tuple': ['1', ['2', {'shape': [3]}]]},"
                    + " 'c': {'dict': {'rgb': '1x3=0.5', 'k=v': '2'}}, 'd': '(1,{k=2})'}"))
        .isEqualTo(
            List.of(
                InputSpec.parse("a:[1,2]"),
                InputSpec.parse("b:(1,[2,3])"),
                new InputSpec.Dict(
                    "c", Map.of("rgb", InputSpec.parse("1x3=0.5"), "k=v", InputSpec.parse("2"))),
                InputSpec.parse("d:(1,{k=2})")));
  }

  @Test
  void readsAnArrayBesideTheFile() {
    Path data = NpyFiles.write(folder.resolve("x.npy"), npy(1, dict("|i1", false, "(2,)"), 7, 8));

    InputSpec.Tensor tensor = (InputSpec.Tensor) read("{'x': {'npy': 'x.npy'}}").get(0);

    assertThat(tensor.name()).isEqualTo("x");
    assertThat(tensor.dtype()).isEqualTo("int8");
    Values.File values = (Values.File) tensor.values();
    assertThat(values.name()).isEqualTo(data.toString());
    assertThat(values.bytes().get(0)).isEqualTo((byte) 7);
    assertThat(values.bytes().get(1)).isEqualTo((byte) 8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; has to be an object",
        "5; has to be an object",
        "{'x': 5}; /x: has to be a text",
        "{'x': null}; /x: has to be a text",
        "{'x': 'y'}; /x: input \"y\": it is not a shape",
        "{'x': 'y:1'}; /x: has a name of its own",
        "{'x': {}}; /x: has no shape",
        "{'x': {'shape': [1], 'colour': 2}}; /x/colour: is unknown",
        "{'x': {'shape': 1}}; /x/shape: has to be an array of integers",
        "{'x': {'shape': [1.5]}}; has to be an integer",
        "{'x': {'shape': [-1]}}; it is not a shape",
        "{'x': {'shape': [99999999999999999999]}}; too large",
        "{'x': {'shape': [1], 'dtype': 'float3'}}; no dtype",
        "{'x': {'shape': [1], 'dtype': ['a']}}; has to be one value",
        "{'x': {'shape': [1], 'fill': [1]}}; has to be one value",
        "{'x': {'shape': [1], 'fill': null}}; is no number",
        "{'x': {'shape': [1], 'dtype': 'int64', 'fill': 1.5}}; is neither an integer",
        "{'x': {'shape': [1], 'dtype': 'uint8', 'fill': 256}}; beyond uint8",
        "{'x': {'shape': [1], 'range': [5]}}; has to be [low, high]",
        "{'x': {'shape': [1], 'range': [5, 4]}}; the range is empty",
        "{'x': {'shape': [1], 'range': [0, 4], 'fill': 1}}; a fill and a range",
        "{'x': {'npy': 'x.npy', 'shape': [1]}}; x.npy: no such file",
        "{'x': {'npy': 7}}; has to be a file's name",
        "{'x': {'tuple': ['1'], 'shape': [1]}}; stands alone",
        "{'x': {'tuple': {'a': '1'}}}; has to be an array of inputs",
        "{'x': {'dict': ['1']}}; has to be an object of inputs",
        "{'x': {'dict': {'a\\u0000': '1'}}}; control character",
        "{'x': '1', 'x': '2'}; Duplicate field 'x'",
        "{'x': {'dict': {'a': '1', 'a': '2'}}}; Duplicate field 'a'",
        "{'x': '1'} {}; goes on",
        "{'x': '1'; line 1 is not the JSON of inputs",
        "{x: '1'}; line 1 is not the JSON of inputs"
      })
  void refuses(String json, String says) {
    assertThat(wrong(json)).contains(says);
  }

  @Test
  void refusesWhatIsTooDeepOrTooLarge() {
    assertThat(read("[".repeat(100) + "'1'" + "]".repeat(100))).hasSize(1);
    assertThat(wrong("[".repeat(101) + "'1'" + "]".repeat(101))).contains("100 levels");
    assertThat(wrong("['1'" + " ".repeat(16 << 20) + "]")).contains("16 MiB");
    assertThat(wrong("{'" + "x".repeat(60_000) + "': '1'}")).contains("1000 characters");
    assertThat(wrong("['" + "(".repeat(1 << 20) + "1" + ")".repeat(1 << 20) + "']"))
        .contains("100 brackets");
  }

  @Test
  void refusesWhatIsNoFile() {
    assertThat(message(folder.resolve("none.json"))).contains("no such file", "name a JSON file");
    assertThat(message(folder)).contains("cannot be read");
  }

  private List<InputSpec> read(String json) {
    return InputsFile.read(write(json));
  }

  /** Single quotes stand for double ones. */
  private Path write(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return NpyFiles.write(folder.resolve("in.json"), text);
  }

  private String wrong(String json) {
    return message(write(json));
  }

  private static String message(Path file) {
    Throwable thrown = catchThrowable(() -> InputsFile.read(file));
    assertThat(thrown).isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(thrown.getMessage()).startsWith(file + ": ").hasSizeLessThan(1000);
    return thrown.getMessage();
  }

  private static List<InputSpec> specs(String... words) {
    return Stream.of(words).map(InputSpec::parse).toList();
  }
}
