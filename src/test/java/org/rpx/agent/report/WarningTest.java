package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rpx.agent.report.Warning.Code;

class WarningTest {
  private static List<Warning> warned(Code... codes) {
    return Stream.of(codes).map(c -> new Warning(c, "told of " + c)).toList();
  }

  /** A load that only one process met is flagged all the same. */
  @Test
  void whatAnyProcessWasWarnedOfIsKept() {
    List<Warning> middle = warned(Code.DEFAULT_INPUT);
    List<Warning> kept =
        Warning.merged(
            middle,
            List.of(
                warned(Code.DEFAULT_INPUT, Code.OVERSUBSCRIBED),
                middle,
                warned(Code.DEFAULT_INPUT, Code.OVERSUBSCRIBED, Code.OVERSUBSCRIBED)),
            "processes");

    assertThat(kept)
        .containsExactly(
            new Warning(Code.DEFAULT_INPUT, "told of DEFAULT_INPUT"),
            new Warning(Code.OVERSUBSCRIBED, "in 2 of 3 processes: told of OVERSUBSCRIBED"));
  }
}
