package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rpx.agent.host.Check;
import org.rpx.agent.host.Check.Mark;
import org.rpx.agent.report.ChecksReport;

class DoctorTest {
  @Test
  void looksAtEverythingOnThisMachine() {
    List<Check> checks = Rpx.doctor();
    assertThat(checks)
        .extracting(Check::name)
        .containsExactly(
            "LibTorch",
            "accelerator",
            "resident peak",
            "timer floor",
            "cores",
            "clocks",
            "heat",
            "load",
            "memory",
            "swap",
            "clock source",
            "RAPL",
            "power rails",
            "NVML",
            "telemetry",
            "timer",
            "Java",
            "environment",
            "temporary files",
            "black box");
    for (Check check : checks) {
      boolean fault = check.mark() == Mark.WARN || check.mark() == Mark.FAIL;
      assertThat(check.remedy() != null).as(check.toString()).isEqualTo(fault);
      assertThat(check.finding()).isNotBlank().doesNotContain("null,").doesNotContain("\n");
    }
    assertThat(checks.get(0).mark()).isEqualTo(Mark.OK);
  }

  @Test
  void aSlowTimerHasARemedy() {
    // Twice 20 ns of a counter in the processor, and twice a microsecond of one beside it.
    assertThat(Doctor.timerFloor(40).mark()).isEqualTo(Mark.OK);
    assertThat(Doctor.timerFloor(40).finding()).startsWith("40 ns are").contains("20 times");
    assertThat(Doctor.timerFloor(2000).mark()).isEqualTo(Mark.WARN);
    assertThat(Doctor.timerFloor(2000).remedy()).contains("clocksource=tsc");
  }

  @Test
  void namesBothThreadPools() {
    Map<String, String> facts =
        Map.of(
            "libtorch_version",
            "2.10.0",
            "libtorch_path",
            "/x/lib",
            "operator_threads",
            "2",
            "blas_threads",
            "4",
            "cpu_capability",
            "AVX2");
    assertThat(Doctor.libtorch(facts).finding())
        .isEqualTo("2.10.0 in /x/lib, 2 operator threads, 4 of the BLAS, AVX2");
  }

  @Test
  void theWorstMarkIsTheVerdict() throws Exception {
    Check fine = Check.ok("swap", "none");
    Check lacks = Check.none("RAPL", "unsupported: no RAPL here");
    Check warns = Check.warn("clocks", "they follow the load", "fix them");
    Check fails = Check.fail("load", "others keep 2.0 of 2.0 cores busy", "stop other programs");
    assertThat(new ChecksReport(List.of(fine, lacks)).worst()).isEqualTo(Mark.OK);
    assertThat(new ChecksReport(List.of(fine, warns, lacks)).worst()).isEqualTo(Mark.WARN);
    ChecksReport report = new ChecksReport(List.of(fine, fails, warns));
    assertThat(report.worst()).isEqualTo(Mark.FAIL);

    StringWriter table = new StringWriter();
    report.table(false, true, table);
    assertThat(table.toString())
        .isEqualTo(
            """
            ok    swap             none
            fail  load             others keep 2.0 of 2.0 cores busy
                                   remedy: stop other programs
            warn  clocks           they follow the load
                                   remedy: fix them

            Figures that are measured here now would not be valid.
            """);
    StringWriter json = new StringWriter();
    report.json(json);
    assertThat(json.toString())
        .startsWith("{\n  \"verdict\": \"fail\",\n  \"checks\": [\n")
        .contains("\"mark\": \"ok\",\n      \"finding\": \"none\",\n      \"remedy\": null");
  }
}
