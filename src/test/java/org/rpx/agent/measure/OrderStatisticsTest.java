package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderStatisticsTest {
  /** Expected: sums of exact fractions, src/test/python/make_statistics_golden.py. */
  @Test
  void ranksAreThoseOfExactSums() {
    List<Map<String, String>> rows = Golden.rows("ranks.csv.gz");
    assertThat(rows).hasSizeGreaterThan(600);
    for (Map<String, String> row : rows) {
      double q = Double.parseDouble(row.get("percentile")) / 100;
      OrderStatistics.Ranks ranks = OrderStatistics.ranks(Integer.parseInt(row.get("n")), q, 0.95);
      assertThat(ranks)
          .as("%s", row)
          .isEqualTo(
              row.get("low").isEmpty()
                  ? null
                  : new OrderStatistics.Ranks(
                      Integer.parseInt(row.get("low")), Integer.parseInt(row.get("high"))));
    }
  }

  /** Expected: tables of the interval of a median, such as Conover's (Practical ... 1999, A3). */
  @ParameterizedTest
  @CsvSource({"6, 1, 6", "10, 2, 9", "15, 4, 12", "20, 6, 15", "25, 8, 18", "50, 18, 33"})
  void ranksOfTheMedianAreThoseOfTables(int n, int low, int high) {
    assertThat(OrderStatistics.ranks(n, 0.5, 0.95)).isEqualTo(new OrderStatistics.Ranks(low, high));
  }

  /** n/2 ± 1.96 √n/2, which for so many samples is right to the nearest few ranks. */
  @Test
  void ranksOfTenMillionAreThoseOfTheNormalDistribution() {
    int n = 10_000_000;
    OrderStatistics.Ranks ranks = OrderStatistics.ranks(n, 0.5, 0.95);
    double half = 1.959964 * Math.sqrt(n) / 2;
    assertThat((double) ranks.low()).isBetween(n / 2.0 - half - 2, n / 2.0 - half + 2);
    assertThat((double) ranks.high()).isBetween(n / 2.0 + half - 1, n / 2.0 + half + 3);
  }

  /** The counts of MLPerf's LoadGen, and 6 for two tails: 2 / 2^5 is over 5 %, 2 / 2^6 is not. */
  @ParameterizedTest
  @CsvSource({
    "50, 0.95, 6",
    "90, 0.95, 29",
    "10, 0.95, 29",
    "95, 0.95, 59",
    "99, 0.95, 299",
    "99.9, 0.95, 2995",
    "90, 0.99, 44",
    "95, 0.99, 90",
    "99, 0.99, 459",
    "99.9, 0.99, 4603"
  })
  void leastIsTheFewestWithAnInterval(double p, double confidence, int least) {
    assertThat(OrderStatistics.least(p / 100, confidence)).isEqualTo(least);
    assertThat(OrderStatistics.ranks(least, p / 100, confidence)).isNotNull();
    assertThat(OrderStatistics.ranks(least - 1, p / 100, confidence)).isNull();
  }
}
