package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.measure.ThreadChoice.Setup;

/** Times are a simulated workload's, in microseconds; the rules are those of docs/method.md. */
class ThreadChoiceTest {
  private static final Setup NARROW = new Setup(1, 1);
  private static final Setup OPERATORS = new Setup(2, 1);
  private static final Setup BLAS = new Setup(1, 2);
  private static final List<Setup> ALL = List.of(NARROW, OPERATORS, BLAS);

  @Test
  void takesTheFastest() {
    assertThat(chosen(new Simulated().takes(NARROW, 900).takes(OPERATORS, 700).takes(BLAS, 800)))
        .isEqualTo(OPERATORS);
    assertThat(chosen(new Simulated().takes(NARROW, 900).takes(OPERATORS, 800).takes(BLAS, 700)))
        .isEqualTo(BLAS);
    assertThat(chosen(new Simulated().takes(NARROW, 700).takes(OPERATORS, 800).takes(BLAS, 900)))
        .isEqualTo(NARROW);
  }

  @Test
  void leavesTheWorkloadWithWhatItChose() {
    Simulated workload = new Simulated().takes(NARROW, 900).takes(OPERATORS, 700).takes(BLAS, 800);
    new ThreadChoice(workload).settle(ALL);

    assertThat(workload.now).isEqualTo(OPERATORS);
  }

  @Test
  void wantsThreePercentForMoreThreads() {
    assertThat(chosen(new Simulated().takes(NARROW, 1000).takes(OPERATORS, 980).takes(BLAS, 971)))
        .isEqualTo(NARROW);
    assertThat(chosen(new Simulated().takes(NARROW, 1000).takes(OPERATORS, 969).takes(BLAS, 999)))
        .isEqualTo(OPERATORS);
    assertThat(chosen(new Simulated().takes(NARROW, 1000).takes(OPERATORS, 950).takes(BLAS, 940)))
        .isEqualTo(OPERATORS);
  }

  /** Two of three runs decide: neither the best of all nor one that was held up. */
  @Test
  void goesByTheMedian() {
    assertThat(
            chosen(
                new Simulated()
                    .takes(NARROW, 500)
                    .takes(OPERATORS, 400, 400, 3000)
                    .takes(BLAS, 490)))
        .isEqualTo(OPERATORS);
    assertThat(
            chosen(
                new Simulated()
                    .takes(NARROW, 500)
                    .takes(OPERATORS, 400, 600, 600)
                    .takes(BLAS, 490)))
        .isEqualTo(NARROW);
  }

  @Test
  void dropsWhatIsClearlySlowerAfterOneRound() {
    Simulated workload =
        new Simulated().takes(NARROW, 1000).takes(OPERATORS, 1400).takes(BLAS, 1600);
    new ThreadChoice(workload).settle(ALL);

    // The first one is also the probe.
    assertThat(workload.turns(NARROW)).isEqualTo(1 + 4);
    assertThat(workload.turns(OPERATORS)).isEqualTo(4);
    assertThat(workload.turns(BLAS)).isEqualTo(1);
  }

  /** Its best run is close, so that a bad moment does not end it. */
  @Test
  void keepsWhatWasOnlyHeldUp() {
    Simulated workload =
        new Simulated().takes(NARROW, 1000).takes(OPERATORS, 1100, 9000).takes(BLAS, 1000);
    new ThreadChoice(workload).settle(ALL);

    assertThat(workload.turns(OPERATORS)).isEqualTo(4);
  }

  @Test
  void takesTurns() {
    Simulated workload =
        new Simulated().takes(NARROW, 1000).takes(OPERATORS, 1000).takes(BLAS, 1000);
    new ThreadChoice(workload).settle(ALL);

    assertThat(workload.turns.subList(1, 7))
        .containsExactly(NARROW, OPERATORS, BLAS, NARROW, OPERATORS, BLAS);
  }

  @Test
  void saysWhatEachTookInMilliseconds() {
    Measurement.Threads threads =
        new ThreadChoice(
                new Simulated().takes(NARROW, 1000).takes(OPERATORS, 700).takes(BLAS, 1600))
            .settle(ALL);

    assertThat(threads.operators()).isEqualTo(2);
    assertThat(threads.blas()).isEqualTo(1);
    assertThat(threads.medianMsBySetup())
        .containsExactly(Map.entry("1x1", 1.0), Map.entry("2x1", 0.7), Map.entry("1x2", 1.6));
  }

  @Test
  void namesASetupWithoutABlasPoolByItsOperators() {
    Setup one = new Setup(1, 0);
    Setup two = new Setup(2, 0);

    Measurement.Threads threads =
        new ThreadChoice(new Simulated().takes(one, 1000).takes(two, 600))
            .settle(List.of(one, two));

    assertThat(threads.operators()).isEqualTo(2);
    assertThat(threads.blas()).isZero();
    assertThat(threads.medianMsBySetup()).containsOnlyKeys("1", "2");
  }

  /** Under 20 µs there is nothing to split: only the probe of three runs is needed. */
  @Test
  void settlesAtOnceWhereAForwardIsShort() {
    Simulated workload = new Simulated().takes(NARROW, 19).takes(OPERATORS, 1).takes(BLAS, 1);
    ThreadChoice choice = new ThreadChoice(workload);

    Measurement.Threads threads = choice.settle(ALL);

    assertThat(threads).isEqualTo(new Measurement.Threads(1, 1, Map.of()));
    assertThat(choice.runs()).isEqualTo(3);
    assertThat(workload.turns).containsExactly(NARROW);
  }

  @Test
  void doesNotTryTheBlasWhereAForwardHoldsNoLargeProduct() {
    Simulated below = new Simulated().takes(NARROW, 99).takes(OPERATORS, 99).takes(BLAS, 1);
    Measurement.Threads threads = new ThreadChoice(below).settle(ALL);

    assertThat(below.turns(BLAS)).isZero();
    assertThat(threads.medianMsBySetup()).containsOnlyKeys("1x1", "2x1");
    assertThat(chosen(new Simulated().takes(NARROW, 101).takes(OPERATORS, 101).takes(BLAS, 50)))
        .isEqualTo(BLAS);
  }

  @Test
  void triesNothingWhereThereIsNoChoice() {
    Simulated workload = new Simulated().takes(BLAS, 1000);
    ThreadChoice choice = new ThreadChoice(workload);

    assertThat(choice.settle(List.of(BLAS))).isEqualTo(new Measurement.Threads(1, 2, Map.of()));
    assertThat(workload.now).isEqualTo(BLAS);
    assertThat(choice.runs()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {19, 50, 1000, 1_000_000})
  void countsEveryRun(long micros) {
    Simulated workload =
        new Simulated().takes(NARROW, micros).takes(OPERATORS, micros).takes(BLAS, 2 * micros);
    ThreadChoice choice = new ThreadChoice(workload);
    choice.settle(ALL);

    assertThat(choice.runs()).isEqualTo(workload.runs);
  }

  /** A forward of 1 s is run once a turn: one for the probe, four rounds of two, one of a third. */
  @Test
  void runsASlowForwardOnceATurn() {
    Simulated workload =
        new Simulated().takes(NARROW, 1_000_000).takes(OPERATORS, 900_000).takes(BLAS, 2_000_000);
    new ThreadChoice(workload).settle(ALL);

    assertThat(workload.runs).isEqualTo(1 + 4 * 2 + 1);
  }

  @Test
  void triesOneTwoHalfAndAllCores() {
    assertThat(ThreadChoice.candidates(8, null, false))
        .containsExactly(new Setup(1, 0), new Setup(2, 0), new Setup(4, 0), new Setup(8, 0));
    assertThat(ThreadChoice.candidates(8, null, true))
        .containsExactly(
            new Setup(1, 1),
            new Setup(2, 1),
            new Setup(4, 1),
            new Setup(8, 1),
            new Setup(1, 2),
            new Setup(1, 4),
            new Setup(1, 8));
    assertThat(ThreadChoice.candidates(2, null, true)).containsExactlyElementsOf(ALL);
    assertThat(ThreadChoice.candidates(3, null, false))
        .containsExactly(new Setup(1, 0), new Setup(2, 0), new Setup(3, 0));
    assertThat(ThreadChoice.candidates(1, null, true)).containsExactly(NARROW);
  }

  @Test
  void triesOnlyTheWidthThatIsAskedFor() {
    assertThat(ThreadChoice.candidates(8, 3, true))
        .containsExactly(new Setup(3, 1), new Setup(1, 3));
    assertThat(ThreadChoice.candidates(8, 3, false)).containsExactly(new Setup(3, 0));
    assertThat(ThreadChoice.candidates(8, 1, true)).containsExactly(NARROW);
    assertThat(ThreadChoice.candidates(2, 16, true))
        .containsExactly(new Setup(16, 1), new Setup(1, 16));
  }

  @Test
  void neverHasBothPoolsWide() {
    for (int cores = 1; cores <= 64; cores++) {
      assertThat(ThreadChoice.candidates(cores, null, true))
          .isNotEmpty()
          .doesNotHaveDuplicates()
          .allMatch(setup -> Math.min(setup.operators(), setup.blas()) == 1);
    }
  }

  private static Setup chosen(Workload workload) {
    Measurement.Threads threads = new ThreadChoice(workload).settle(ALL);
    return new Setup(threads.operators(), threads.blas());
  }

  /** A workload whose clock moves only by what its runs take. */
  private static final class Simulated implements Workload {
    final List<Setup> turns = new ArrayList<>();
    Setup now;
    int runs;
    private final Map<Setup, long[]> micros = new HashMap<>();

    /** What runs with a setup take, over and over in this order. */
    Simulated takes(Setup setup, long... micros) {
      this.micros.put(setup, micros);
      return this;
    }

    int turns(Setup setup) {
      return (int) turns.stream().filter(setup::equals).count();
    }

    @Override
    public void threads(int operators, int blas) {
      now = new Setup(operators, blas);
    }

    @Override
    public Samples time(int n, Duration limit) {
      turns.add(now);
      long[] starts = new long[n];
      long[] durations = new long[n];
      long[] each = micros.get(now);
      int done = 0;
      for (long clock = 0; done < n && (done == 0 || clock < limit.toNanos()); done++) {
        starts[done] = clock;
        durations[done] = each[done % each.length] * 1000;
        clock += durations[done];
      }
      runs += done;
      return new Samples(starts, durations, done);
    }
  }
}
