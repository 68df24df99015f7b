package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PairedRunsTest {
  private static final Duration LONG = Duration.ofDays(1);

  private static PairedRuns.Rule rule(int most, Duration limit) {
    return new PairedRuns.Rule(most, limit, null, 1, false, 0, 1);
  }

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
            new Cold("a", 2e6, turns), new Cold("b", 3e6, turns), rule(100, LONG), () -> false);

    assertThat(pairs.firstNs()).hasSize(100).containsOnly(2e6);
    assertThat(pairs.secondNs()).hasSize(100).containsOnly(3e6);
    assertThat(pairs.difference(0.01).verdict()).isEqualTo(Verdict.SLOWER);
  }

  @Test
  void eitherLeadsInRandomOrder() {
    List<String> turns = new ArrayList<>();
    PairedRuns.run(
        new Cold("a", 2e6, turns), new Cold("b", 3e6, turns), rule(200, LONG), () -> false);
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
    PairedRuns pairs = PairedRuns.run(a, b, rule(10, LONG), () -> false);

    assertThat(a.runs).isEqualTo(4 + 10 * 51);
    assertThat(b.runs).isEqualTo(4 + 10 * 2);
    // All runs but the first of a turn count for percentiles.
    assertThat(pairs.firstRuns().count()).isEqualTo(10 * 50);
    assertThat(pairs.secondRuns().count()).isEqualTo(10);
  }

  /** A pair takes 20 ms: two forwards of 5 ms on both sides. */
  @Test
  void endsByTimeOrWhereItIsAskedTo() {
    SimulatedWorkload a = new SimulatedWorkload(i -> 5e6);
    SimulatedWorkload b = new SimulatedWorkload(i -> 5e6);

    assertThat(PairedRuns.run(a, b, rule(1000, Duration.ofMillis(100)), () -> false).firstNs())
        .hasSize(5);
    assertThat(PairedRuns.run(a, b, rule(1000, LONG), () -> true).firstNs()).isEmpty();
  }

  /** Noise of 1 %: the median of 20 pairs is not known to 0.1 %, that of some thousands is. */
  @Test
  void endsWhereTheDifferenceIsKnownWellEnough() {
    Random noise = new Random(7);
    SimulatedWorkload a = new SimulatedWorkload(i -> 5e6 * (1 + noise.nextGaussian() / 100));
    SimulatedWorkload b = new SimulatedWorkload(i -> 5e6 * (1 + noise.nextGaussian() / 100));
    PairedRuns.Rule rule = new PairedRuns.Rule(1_000_000, LONG, 0.001, 1, false, 0, 1);
    PairedRuns pairs = PairedRuns.run(a, b, rule, () -> false);

    assertThat(pairs.firstNs().length).isBetween(500, 20_000);
    assertThat(pairs.difference(0.01).interval().halfWidth()).isLessThanOrEqualTo(0.001);
    assertThat(pairs.difference(0.01).interval().contains(0)).isTrue();
  }

  /** Released every 10 ms, though the first run takes 12: the next one waits, 2 ms. */
  @Test
  void pacedRunsCountFromTheirReleases() {
    long period = 10_000_000;
    Workload paced =
        new SimulatedWorkload(i -> 0) {
          @Override
          public Samples time(int n, Duration limit) {
            assertThat(n).isEqualTo(2);
            return new Samples(new long[] {0, 12_000_000}, new long[] {12_000_000, 3_000_000}, n);
          }
        };
    PairedRuns.Rule rule = new PairedRuns.Rule(5, LONG, null, 1, true, period, 1);
    PairedRuns pairs = PairedRuns.run(paced, paced, rule, () -> false);

    assertThat(pairs.firstNs()).containsOnly(5e6).hasSize(5);
    assertThat(pairs.firstRuns().durationsNs()).containsOnly(5_000_000);
  }

  /** A turn of four runs begins with another of three sets each time, and leaves that one out. */
  @Test
  void eachSetCountsAlikeWhereTurnsAreShort() {
    SimulatedWorkload a = new SimulatedWorkload(i -> 1e3 * (1 + i % 3));
    SimulatedWorkload b = new SimulatedWorkload(i -> 1e3 * (1 + i % 3));
    PairedRuns.Rule rule = new PairedRuns.Rule(30, LONG, null, 3, true, 0, 1);
    PairedRuns pairs = PairedRuns.run(a, b, rule, () -> false);

    for (long set : new long[] {1000, 2000, 3000})
      assertThat(LongStream.of(pairs.firstRuns().durationsNs()).filter(ns -> ns == set).count())
          .isEqualTo(30);
    assertThat(pairs.firstRuns().durationsNs()).isEqualTo(pairs.secondRuns().durationsNs());
  }
}
