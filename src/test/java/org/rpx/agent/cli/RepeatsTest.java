package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rpx.agent.report.EfficiencyMetadata;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;

class RepeatsTest {
  private static EfficiencyReport warned(Code... codes) {
    return new EfficiencyReport(
        new EfficiencyReport.Model("m.pt", "torchscript", 1L, "ab"),
        List.of(),
        EfficiencyMetadata.builder().build(),
        null,
        List.of(),
        null,
        null,
        Stream.of(codes).map(c -> new Warning(c, "told of " + c)).toList());
  }

  /** A load that only one process met is flagged all the same. */
  @Test
  void whatAnyProcessWasWarnedOfIsKept() {
    EfficiencyReport middle = warned(Code.DEFAULT_INPUT);
    List<Warning> kept =
        Repeats.warnings(
            middle,
            List.of(
                warned(Code.DEFAULT_INPUT, Code.OVERSUBSCRIBED),
                middle,
                warned(Code.DEFAULT_INPUT, Code.OVERSUBSCRIBED, Code.OVERSUBSCRIBED)));

    assertThat(kept)
        .containsExactly(
            new Warning(Code.DEFAULT_INPUT, "told of DEFAULT_INPUT"),
            new Warning(Code.OVERSUBSCRIBED, "in 2 of 3 processes: told of OVERSUBSCRIBED"));
  }
}
