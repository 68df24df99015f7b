package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.measure.PacedRuns;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.trace.InputSpec;

/** Runs that are released on a schedule, and runs with empty caches. */
class PacedTest {
  private static final Path IDENTITY = Path.of("src/test/resources/models/identity.pt");
  private static final ModelSource POLICY = ModelSource.parse("demo:policy_transformer");
  private static final InputSpec SMALL = InputSpec.tensor("float32", 2, 3);

  private static EfficiencyReport identity(Plan plan) {
    return Rpx.profile(
        ModelSource.parse(IDENTITY.toString()), plan.withInputs(List.of(SMALL)).withThreads(1));
  }

  /**
   * A tenth of a second for a model of microseconds: only a machine that stands still misses one.
   */
  @Test
  void keepsAScheduleThatIsEasy() {
    EfficiencyReport report = identity(Plan.defaults().withRate(10.0).withIterations(12));

    Samples latencies = report.tier3().samples();
    assertThat(latencies.count()).isEqualTo(12);
    for (int i = 0; i < 12; i++) assertThat(latencies.startNs(i)).isEqualTo(i * 100_000_000L);
    PacedRuns paced = report.tier3().paced();
    assertThat(paced.deadlineMisses()).isZero();
    assertThat(paced.longestRunOfMisses()).isZero();
    assertThat(paced.overloaded()).isFalse();
    assertThat(paced.releaseJitter().count()).isEqualTo(11);
    assertThat(paced.releaseJitter().min()).isGreaterThanOrEqualTo(0);
    assertThat(report.tier3().course().loop().pace().backToBackNs()).isPositive();
    assertThat(report.tier3().course().loop().timerFloorNs()).isNotNegative();
    assertThat(report.tier3().course().stoppedBy()).isEqualTo("iterations");
    assertThat(report.tier3().realTime()).hasSize(3).allMatch(v -> v.realTime());
    assertThat(report.warnings()).extracting(Warning::code).doesNotContain(Code.OVERLOADED);
    assertThat(report.metadata().toTableRow().get("latency_p50_ms")).isNotNull();
  }

  /** Dozens of ops take longer than 10 µs. */
  @Test
  void saysThatARateIsTooHigh() {
    EfficiencyReport report =
        Rpx.profile(
            POLICY,
            Plan.defaults().withThreads(1).withRate(1e5).withDuration(Duration.ofMillis(200)));

    PacedRuns paced = report.tier3().paced();
    assertThat(paced.overloaded()).isTrue();
    assertThat(paced.capacityHz()).isLessThan(1e5);
    assertThat(paced.deadlineMisses()).isGreaterThan(paced.count() / 2);
    assertThat(report.warnings()).extracting(Warning::code).contains(Code.OVERLOADED);
    assertThat(report.tier3().realTime()).last().matches(v -> v.hz() == 1e5 && !v.realTime());
    assertThat(report.metadata().toTableRow().get("latency_p50_ms")).isNull();
    assertThat(report.tier3().course().stoppedBy()).isEqualTo("duration");
  }

  /**
   * From just before the native loop until just after it, as the thread that waits for it counts.
   */
  @Test
  void allocatesNothingWhileItRuns() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] allocated = new long[2];
    try (NativeSession session = new NativeSession(IDENTITY, "cpu")) {
      session.inputs(List.of(SMALL), 0);
      session.threads(1, 1);
      session.between(1_000_000, 0);
      for (int round = 0; round < 2; round++) { // the first loads classes
        long[][] ran =
            session.time(
                round == 0 ? 10 : 3000,
                Long.MAX_VALUE,
                done -> allocated[done == null ? 1 : 0] = threads.getCurrentThreadAllocatedBytes());
        for (int i = 0; i < ran[0].length; i++)
          assertThat(ran[0][i]).isGreaterThanOrEqualTo(i * 1_000_000L);
      }
    }

    assertThat(allocated[0]).isPositive();
    assertThat(allocated[1] - allocated[0]).isZero();
  }

  /** It does next to nothing but fetch: its own code and the objects of LibTorch around it. */
  @Test
  void isSlowerWithEmptyCaches() {
    Plan plan = Plan.defaults().withIterations(30);

    EfficiencyReport warm = identity(plan);
    EfficiencyReport cold = identity(plan.withColdCache(true));

    assertThat(cold.tier3().statistics().median())
        .isGreaterThan(warm.tier3().statistics().median());
    assertThat(cold.tier3().course().loop().flushedBytes()).isPositive();
    assertThat(warm.tier3().course().loop().flushedBytes()).isNull();
    // The row has no word for it.
    assertThat(cold.metadata().toTableRow().get("latency_p50_ms")).isNull();
    assertThat(cold.warnings())
        .anyMatch(w -> w.code() == Code.UNAVAILABLE && w.message().startsWith("row: latency"));
  }

  @Test
  void refusesPlansThatContradictThemselves() {
    assertThatThrownBy(() -> Plan.defaults().withRate(30.0).withColdCache(true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exclude each other");
    assertThatThrownBy(() -> Plan.defaults().withPrecisionTarget(0.01).withRate(30.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no precision target");
    assertThatThrownBy(() -> Plan.defaults().withCpus(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> identity(Plan.defaults().withCpus(List.of(99_999))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("may not use CPU 99999: choose among");
  }
}
