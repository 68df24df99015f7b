package org.rpx.agent.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Settles how wide the two thread pools are: the operators' (OpenMP) and the BLAS's own. Never both wider than 1, since a BLAS that
 * splits its products inside parallel regions fights the operators for the cores. Which one is worth it depends on the model and on
 * who else runs: each candidate is measured, in turns, and the fastest median wins.
 */
public final class ThreadChoice {
  private static final int ROUNDS = 4;
  private static final double CLEARLY_SLOWER = 1.5;
  private static final double WORTH_MORE_THREADS = 0.98;
  // Idle OpenBLAS threads spin for 2^26 clock ticks before they sleep.
  private static final Duration BLAS_SETTLES = Duration.ofMillis(30);
  // A shorter forward holds no product that a second BLAS thread would make faster.
  private static final double WORTH_BLAS_NS = 100_000;

  private final Workload workload;
  private int runs;

  /** Widths of both pools. 0 leaves a pool as it is. */
  public record Setup(int operators, int blas) {
    @Override
    public String toString() {
      return operators + "x" + blas;
    }
  }

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
    else for (int width : new int[] {1, 2, cores / 2, cores}) if (width >= 1 && width <= cores) widths.add(width);
    List<Setup> setups = new ArrayList<>();
    for (int width : widths) setups.add(new Setup(width, blasPool ? 1 : 0));
    if (blasPool) for (int width : widths) if (width > 1) setups.add(new Setup(1, width));
    return setups;
  }

  /** Measures the candidates, sets the workload to the fastest and says what each took. */
  public Measurement.Threads settle(List<Setup> candidates) {
    Map<Setup, List<Double>> seen = new LinkedHashMap<>();
    candidates.forEach(c -> seen.put(c, new ArrayList<>()));
    Duration slot = slot(candidates.get(0));
    if (candidates.size() > 1) {
      for (int round = 0; round < ROUNDS; round++) {
        boolean wide = false;
        for (Setup setup : List.copyOf(seen.keySet())) {
          if (setup.blas() > 1 && round == 0 && best(seen) < WORTH_BLAS_NS) {
            seen.remove(setup);
            continue;
          }
          wide |= setup.blas() > 1;
          use(setup);
          Samples samples = workload.time(1000, slot);
          runs += samples.count();
          for (int i = 0; i < samples.count(); i++) seen.get(setup).add((double) samples.durationNs(i));
        }
        if (wide) sleep(BLAS_SETTLES);
        double best = best(seen);
        seen.values().removeIf(times -> min(times) > CLEARLY_SLOWER * best);
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    Setup chosen = candidates.get(0);
    double least = Double.POSITIVE_INFINITY;
    for (var entry : seen.entrySet()) {
      if (entry.getValue().isEmpty()) continue;
      double median = median(entry.getValue());
      medians.put(entry.getKey().toString(), median / 1e6);
      // Candidates come narrowest first.
      if (median < least * WORTH_MORE_THREADS) {
        least = median;
        chosen = entry.getKey();
      }
    }
    use(chosen);
    return new Measurement.Threads(chosen.operators(), chosen.blas(), medians);
  }

  /** Forwards that settling took. */
  public int runs() {
    return runs;
  }

  /** A few runs' time: long enough for a median, short enough for a slow model. */
  private Duration slot(Setup first) {
    use(first);
    Samples samples = workload.time(3, Duration.ofMillis(50));
    runs += samples.count();
    long nanos = (long) (6 * samples.statistics().min());
    return Duration.ofNanos(Math.max(2_000_000, Math.min(150_000_000, nanos)));
  }

  private void use(Setup setup) {
    workload.threads(setup.operators(), setup.blas());
  }

  private static double best(Map<Setup, List<Double>> seen) {
    return seen.values().stream().mapToDouble(ThreadChoice::min).min().orElse(Double.POSITIVE_INFINITY);
  }

  private static double min(List<Double> times) {
    return times.stream().mapToDouble(t -> t).min().orElse(Double.POSITIVE_INFINITY);
  }

  private static double median(List<Double> times) {
    return Statistics.of(times.stream().mapToDouble(t -> t).toArray()).median();
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
