package org.rpx.agent.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Settles how wide the two thread pools are: the operators' (OpenMP) and the BLAS's own. Never both
 * wider than 1, since a BLAS that splits its products inside parallel regions fights the operators
 * for the cores. Which one is worth it depends on the model and on who else runs: each candidate is
 * measured, in turns, and the fastest median wins. For one thread at a time.
 */
public final class ThreadChoice {
  private static final int ROUNDS = 4;
  private static final double CLEARLY_SLOWER = 1.5;
  private static final double WORTH_MORE_THREADS = 0.97;
  // Idle OpenBLAS threads spin for 2^20 clock ticks before they sleep (native/env.c).
  private static final Duration BLAS_SETTLES = Duration.ofMillis(1);
  // Handing work to a second thread takes microseconds: a shorter forward has nothing to split.
  private static final double WORTH_THREADS_NS = 20_000;
  // A shorter forward holds no product that a second BLAS thread would make faster.
  private static final double WORTH_BLAS_NS = 100_000;

  // Long enough for a median, short enough for a slow model.
  private static final long LEAST_SLOT_NS = 2_000_000;
  private static final long MOST_SLOT_NS = 100_000_000;

  private final Workload workload;
  private int runs;

  /** Widths of both pools. 0 leaves a pool as it is. */
  public record Setup(int operators, int blas) {
    /** The most threads that compute at once. */
    public int widest() {
      return Math.max(operators, blas);
    }

    @Override
    public String toString() {
      return blas == 0 ? "" + operators : operators + "x" + blas;
    }
  }

  /** For one workload, which is not run yet. */
  public ThreadChoice(Workload workload) {
    this.workload = workload;
  }

  /**
   * What is worth a try.
   *
   * @param cores that this process may use
   * @param asked width that the user wants; null to try several
   * @param blasPool whether the BLAS has a pool of its own
   */
  public static List<Setup> candidates(int cores, Integer asked, boolean blasPool) {
    TreeSet<Integer> widths = new TreeSet<>();
    if (asked != null) widths.add(asked);
    else
      for (int width : new int[] {1, 2, cores / 2, cores})
        if (width >= 1 && width <= cores) widths.add(width);
    List<Setup> setups = new ArrayList<>();
    for (int width : widths) setups.add(new Setup(width, blasPool ? 1 : 0));
    if (blasPool) for (int width : widths) if (width > 1) setups.add(new Setup(1, width));
    return setups;
  }

  /** One candidate and what it took, in nanoseconds. */
  private static final class Trial {
    final Setup setup;
    final List<Double> times = new ArrayList<>();
    boolean running = true;

    Trial(Setup setup) {
      this.setup = setup;
    }

    double best() {
      return times.stream().mapToDouble(t -> t).min().orElse(Double.POSITIVE_INFINITY);
    }

    double median() {
      return Statistics.of(times.stream().mapToDouble(t -> t).toArray()).median();
    }
  }

  /**
   * Measures the candidates, sets the workload to the fastest and says what each took.
   *
   * @param candidates one at least, narrowest first
   */
  public Measurement.Threads settle(List<Setup> candidates) {
    List<Trial> trials = new ArrayList<>();
    for (Setup setup : candidates) trials.add(new Trial(setup));
    double forward = probe(candidates.get(0));
    Trial chosen = trials.get(0);
    Map<String, Double> medians = new LinkedHashMap<>();
    if (trials.size() > 1 && forward >= WORTH_THREADS_NS) {
      Duration slot =
          Duration.ofNanos(Math.max(LEAST_SLOT_NS, Math.min(MOST_SLOT_NS, (long) (3 * forward))));
      for (int round = 0; round < ROUNDS; round++) round(trials, forward, slot);
      for (Trial trial : trials) {
        if (trial.times.isEmpty()) continue;
        medians.put(trial.setup.toString(), trial.median() / 1e6);
        // Candidates come narrowest first.
        if (trial.median() < WORTH_MORE_THREADS * chosen.median()) chosen = trial;
      }
    }
    use(chosen.setup);
    return new Measurement.Threads(chosen.setup.operators(), chosen.setup.blas(), medians);
  }

  /** Each candidate in turn, for a slot; those that are clearly slower drop out. */
  private void round(List<Trial> trials, double forward, Duration slot) {
    for (Trial trial : trials) {
      boolean wide = trial.setup.blas() > 1;
      if (!trial.running || (wide && forward < WORTH_BLAS_NS)) continue;
      use(trial.setup);
      Samples samples = workload.time(1000, slot);
      runs += samples.count();
      for (int i = 0; i < samples.count(); i++) trial.times.add((double) samples.durationNs(i));
      if (wide) sleep(BLAS_SETTLES);
    }
    double best = Double.POSITIVE_INFINITY;
    for (Trial trial : trials) best = Math.min(best, trial.best());
    for (Trial trial : trials) trial.running &= trial.best() <= CLEARLY_SLOWER * best;
  }

  /** Forwards that settling took. */
  public int runs() {
    return runs;
  }

  /** About how long one forward takes, in nanoseconds. */
  private double probe(Setup first) {
    use(first);
    Samples samples = workload.time(3, Duration.ofMillis(50));
    runs += samples.count();
    return samples.statistics().min();
  }

  private void use(Setup setup) {
    workload.threads(setup.operators(), setup.blas());
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
