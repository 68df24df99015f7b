package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.engine.TensorMemory;
import org.rpx.agent.trace.InputSpec;

/** A program that adds 1 to its input in place, and gives twice that. */
class ChangedInputTest {
  private static final Path EXPORTED = Path.of("src/test/resources/exported");

  @ParameterizedTest
  @ValueSource(strings = {"changes_input", "changes_input_functional"})
  void eachRunStartsFromTheSameInput(String name) {
    ModelSource source = ModelSource.parse(EXPORTED.resolve(name + ".pt2").toString());
    Plan plan = Plan.counting().withInputs(List.of(InputSpec.parse("3=0.5")));
    try (LoadedModel model = LoadedModel.of(source, plan, Watch.NONE)) {
      model.firstRun();
      assertThat(first(model.outputs())).isEqualTo(3);

      assertThat(model.session().time(5, Long.MAX_VALUE, null)[1]).hasSize(5);
      // After the last of five runs: one was added, not five.
      assertThat(first(model.session().inputs())).isEqualTo(1.5f);

      model.session().trace();
      model.firstRun();
      assertThat(first(model.outputs())).isEqualTo(3);
    }
  }

  private static float first(List<TensorMemory> tensors) {
    return tensors.get(0).bytes().asFloatBuffer().get(0);
  }
}
