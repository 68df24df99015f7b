package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.exported.EditedProgram;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/** Conditions of a program on its inputs: a batch of a multiple of 4, and some of no known form. */
class UncheckedGuardsTest {
  private static final Path FILE = Path.of("src/test/resources/exported/guarded.pt2");

  @TempDir Path folder;

  private static List<InputSpec> batch(int rgb) {
    return List.of(InputSpec.parse("{rgb=" + rgb + "x3}"), InputSpec.parse("(2,3)"));
  }

  private static Plan timed(Plan plan) {
    return plan.withIterations(2).withWarmup(0).withThreads(1);
  }

  private static List<Warning> unchecked(EfficiencyReport report) {
    return report.warnings().stream()
        .filter(w -> w.code() == Warning.Code.UNCHECKED_GUARDS)
        .toList();
  }

  @Test
  void theyAreAWarningAndTheRunGoesOn() throws IOException {
    Path file = EditedProgram.write(FILE, folder, json -> edit((ObjectNode) json));
    for (Plan plan : List.of(Plan.counting(), timed(Plan.defaults())))
      assertThat(unchecked(Rpx.profile(ModelSource.of(file), plan)))
          .containsExactly(
              new Warning(
                  Warning.Code.UNCHECKED_GUARDS,
                  "5 conditions of the file on its inputs (guards_code) cannot be checked here:"
                      + " strange(0) (\"strange\" is no function that is known here), strange(1)"
                      + " (\"strange\" is no function that is known here), strange(2) (\"strange\""
                      + " is no function that is known here) and 2 more; see that these inputs"
                      + " fulfil them"));
  }

  private static void edit(ObjectNode program) {
    for (int i = 0; i < 5; i++) program.withArray("guards_code").add("strange(" + i + ")");
  }

  @Test
  void whereAllAreCheckedNothingIsSaid() {
    for (Plan plan : List.of(Plan.counting(), timed(Plan.defaults())))
      assertThat(unchecked(Rpx.profile(ModelSource.of(FILE), plan.withInputs(batch(12)))))
          .isEmpty();
  }

  /** Counted, measured, as one of several inputs that take turns, and in a control loop. */
  @Test
  void inputsOutsideOfThemAreRefused() {
    ModelSource model = ModelSource.of(FILE);
    Plan given = Plan.defaults().withInputs(batch(10));
    Plan second = Plan.defaults().withInputSets(List.of(batch(12), batch(10)));
    for (Runnable run :
        List.<Runnable>of(
            () -> Rpx.profile(model, given.withTimed(false)),
            () -> Rpx.profile(model, timed(given)),
            () -> Rpx.profile(model, timed(second)),
            () -> Rpx.session(model, SessionOptions.of(given))))
      assertThatThrownBy(run::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              FILE
                  + ": dimension 0 of input batch.rgb is 10: the program was exported for"
                  + " (L['batch']['rgb'].size()[0] % 4) == 0; give inputs for which that holds, or"
                  + " export the model for these");
  }
}
