package org.rpx.agent.measure;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * The schedule of paced runs, and what their latencies do not tell.
 *
 * @param hz releases a second
 * @param serviceNs of each run, from its start to its end
 * @param backToBackNs median of runs of the same program without a pace, just before; null where
 *     there were none
 */
public record Pace(double hz, long[] serviceNs, Double backToBackNs) {

  /** Refuses a rate that is no schedule. */
  public Pace {
    periodNs(hz);
  }

  /**
   * Between two releases, in whole nanoseconds.
   *
   * @throws IllegalArgumentException if the rate is below 0.001 or above 1,000,000 Hz
   */
  public static long periodNs(double hz) {
    if (!(hz >= 1e-3 && hz <= 1e6)) {
      throw new IllegalArgumentException(
          "a rate lies between 0.001 Hz and 1 MHz, was " + hz + " Hz");
    }
    return Math.round(1e9 / hz);
  }

  public long periodNs() {
    return periodNs(hz);
  }

  public String rate() {
    return rate(hz);
  }

  /** "30 Hz", "0.5 Hz". */
  public static String rate(double hz) {
    return new BigDecimal(String.valueOf(hz)).stripTrailingZeros().toPlainString() + " Hz";
  }

  /**
   * The runs, by their latencies.
   *
   * @param latencies from each intended release, with that as its start
   * @throws IllegalArgumentException if they are not those of this schedule
   */
  public PacedRuns runs(Samples latencies) {
    int n = latencies.count();
    if (serviceNs.length != n) {
      throw new IllegalArgumentException(n + " latencies and " + serviceNs.length + " services");
    }
    long[] intended = new long[n];
    long[] start = new long[n];
    long[] end = new long[n];
    for (int i = 0; i < n; i++) {
      intended[i] = latencies.startNs(i);
      end[i] = intended[i] + latencies.durationNs(i);
      start[i] = end[i] - serviceNs[i];
    }
    return PacedRuns.of(periodNs(), intended, start, end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pace p
        && hz == p.hz
        && Arrays.equals(serviceNs, p.serviceNs)
        && java.util.Objects.equals(backToBackNs, p.backToBackNs);
  }

  @Override
  public int hashCode() {
    return Double.hashCode(hz) + Arrays.hashCode(serviceNs);
  }
}
