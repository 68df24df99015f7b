package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Expected: numpy 2.4.6, for the first n of 1000 samples, n = 1 ... 1000. */
class GoldenStatisticsTest {
  // numpy rounds each step of its sums and interpolations; ours are rounded once.
  private static final Percentage ROUNDING = Percentage.withPercentage(1e-10);

  private static final List<String> PERCENTILES =
      List.of("1", "5", "25", "50", "90", "95", "99", "99.9");

  @Test
  void figuresAreThoseOfNumpyForEveryCountTo1000() {
    List<Map<String, String>> rows = Golden.rows("numpy.csv.gz");
    assertThat(rows).hasSize(1000);
    long[] samples = rows.stream().mapToLong(row -> Long.parseLong(row.get("sample"))).toArray();
    for (int n = 1; n <= 1000; n++) {
      Map<String, String> row = rows.get(n - 1);
      Statistics statistics = Statistics.of(Arrays.copyOf(samples, n));

      assertThat(statistics.min()).isEqualTo(Double.parseDouble(row.get("min")));
      assertThat(statistics.max()).isEqualTo(Double.parseDouble(row.get("max")));
      assertThat(statistics.mad()).as("mad of %d", n).isEqualTo(Double.parseDouble(row.get("mad")));
      close(row, "mean", statistics.mean());
      if (n == 1) assertThat(statistics.standardDeviation()).isNull();
      else close(row, "sd", statistics.standardDeviation());
      double previous = statistics.min();
      for (String p : PERCENTILES) {
        double value = statistics.percentile(Double.parseDouble(p));
        close(row, "p" + p, value);
        assertThat(value).isBetween(previous, statistics.max());
        previous = value;
      }
    }
  }

  private static void close(Map<String, String> row, String figure, double actual) {
    assertThat(actual).as(figure).isCloseTo(Double.parseDouble(row.get(figure)), ROUNDING);
  }
}
