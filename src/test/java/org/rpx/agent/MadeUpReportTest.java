package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rpx.agent.report.EfficiencyReport;

class MadeUpReportTest {
  @Test
  void itIsBuiltAsAMeasuredOne() {
    EfficiencyReport report = MadeUpReport.of(Plan.defaults().withTimed(true));

    // A product of two 2x2 matrices: 2·2·2·2 FLOP, 4 weights, 16 bytes each way.
    assertThat(report.tier1().flops()).isEqualTo(16);
    assertThat(report.tier1().params()).isEqualTo(4);
    assertThat(report.tier1().traffic().compulsoryBytes()).isEqualTo(48);
    assertThat(report.tier2()).isNotEmpty();
    assertThat(report.tier3().samples().count()).isEqualTo(100);
    assertThat(report.system()).isNotNull();
  }
}
