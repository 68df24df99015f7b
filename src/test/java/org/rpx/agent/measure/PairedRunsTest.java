package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairedRunsTest {
  private static final Duration LONG = Duration.ofDays(1);

  /** The first run of a call is ten times slower, as after another program's turn. */
  private static final class Cold extends SimulatedWorkload {
    final String name;
    final List<String> turns;
    final double ns;

    Cold(String name, double ns, List<String> turns) {
      super(i -> ns);
      this.name = name;
      this.ns = ns;
      this.turns = turns;
    }

    @Override
    public Samples time(int n, Duration limit) {
      turns.add(name);
      Samples samples = super.time(n, limit);
      long[] starts = new long[samples.count()];
      long[] durations = samples.durationsNs();
      for (int i = 0; i < starts.length; i++) starts[i] = samples.startNs(i);
      durations[0] *= 10;
      return new Samples(starts, durations, starts.length);
    }
  }

  @Test
  void pairsAreWithoutTheFirstForwardOfATurn() {
    List<String> turns = new ArrayList<>();
    PairedRuns pairs =
        PairedRuns.run(
            new Cold("a", 2e6, turns), new Cold("b", 3e6, turns), 100, LONG, 1, 1, () -> false);

    assertThat(pairs.firstNs()).hasSize(100).containsOnly(2e6);
    assertThat(pairs.secondNs()).hasSize(100).containsOnly(3e6);
    assertThat(pairs.difference(0.01).verdict()).isEqualTo(Verdict.SLOWER);
  }

  @Test
  void eitherLeadsInRandomOrder() {
    List<String> turns = new ArrayList<>();
    PairedRuns.run(
        new Cold("a", 2e6, turns), new Cold("b", 3e6, turns), 200, LONG, 1, 1, () -> false);
    List<String> measured = turns.subList(2, turns.size());

    long firstLeads = 0;
    assertThat(measured).hasSize(400);
    for (int i = 0; i < 400; i += 2) {
      assertThat(measured.get(i)).isNotEqualTo(measured.get(i + 1));
      if (measured.get(i).equals("a")) firstLeads++;
    }
    assertThat(firstLeads).isBetween(70L, 130L);
  }

  /** 0.5 ms hold 50 runs of 10 µs: 51 a turn with the first, 4 to find out. */
  @Test
  void aShortProgramRunsSeveralTimesATurn() {
    SimulatedWorkload a = new SimulatedWorkload(i -> 1e4);
    SimulatedWorkload b = new SimulatedWorkload(i -> 1e6);
    PairedRuns.run(a, b, 10, LONG, 1, 1, () -> false);

    assertThat(a.runs).isEqualTo(4 + 10 * 51);
    assertThat(b.runs).isEqualTo(4 + 10 * 2);
  }

  /** A pair takes 20 ms: two forwards of 5 ms on both sides. */
  @Test
  void endsByTimeOrWhereItIsAskedTo() {
    SimulatedWorkload a = new SimulatedWorkload(i -> 5e6);
    SimulatedWorkload b = new SimulatedWorkload(i -> 5e6);

    assertThat(PairedRuns.run(a, b, 1000, Duration.ofMillis(100), 1, 1, () -> false).firstNs())
        .hasSize(5);
    assertThat(PairedRuns.run(a, b, 1000, LONG, 1, 1, () -> true).firstNs()).isEmpty();
  }
}
