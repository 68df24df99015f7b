package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelSourceTest {

  @Test
  void readsAPath() {
    assertThat(ModelSource.parse("models/net.pt"))
        .isEqualTo(new ModelSource.File("models/net.pt", Path.of("models", "net.pt")));
    assertThat(ModelSource.parse("./net.pt").text()).isEqualTo("./net.pt");
    assertThat(ModelSource.parse("demo")).isInstanceOf(ModelSource.File.class);
    assertThat(ModelSource.parse("./demo:net.pt")).isInstanceOf(ModelSource.File.class);
  }

  @Test
  void takesAPath() {
    Path path = Path.of("models", "net.pt");

    assertThat(ModelSource.of(path)).isEqualTo(new ModelSource.File(path.toString(), path));
  }

  @Test
  void readsADemoAndAnApi() {
    assertThat(ModelSource.parse("demo:resnet18")).isEqualTo(new ModelSource.Demo("resnet18"));
    assertThat(ModelSource.parse("api:gpt-4o")).isEqualTo(new ModelSource.Api("gpt-4o"));
    assertThat(ModelSource.parse("api:org/model:v1"))
        .isEqualTo(new ModelSource.Api("org/model:v1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo:resnet18", "api:gpt-4o", "dir/net.pt"})
  void writesWhatItRead(String text) {
    assertThat(ModelSource.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"demo:, demo:resnet18", "'api: ', api:gpt-4o"})
  void refusesAMissingNameAndGivesAnExample(String text, String example) {
    assertThatThrownBy(() -> ModelSource.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text)
        .hasMessageContaining("for example " + example);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void refusesNothing(String text) {
    assertThatThrownBy(() -> ModelSource.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give a file");
  }
}
