package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  /** None once the time is over. A period of 30 Hz is 33,333,333 ns: the 300th ends before 10 s. */
  @ParameterizedTest
  @CsvSource({"30, 10, 301", "1000, 2, 2000", "5, 1, 5", "0.1, 1, 1", "400, 0.001, 1"})
  void releasesWithinTheDuration(double hz, double seconds, int runs) {
    Duration duration = Duration.ofNanos((long) (seconds * 1e9));
    assertThat(Schedule.of(hz, null, duration).runs()).isEqualTo(runs);
    assertThat(Schedule.of(hz, 3, duration).runs()).isEqualTo(Math.min(3, runs));
  }

  @Test
  void hasDefaults() {
    assertThat(Schedule.of(10, null, null).runs()).isEqualTo(100);
    assertThat(Schedule.of(1000, null, null).runs()).isEqualTo(1000);
    assertThat(Schedule.of(10, 5000, null).runs()).isEqualTo(5000);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.0001, 2e6, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWhatIsNoRate(double hz) {
    assertThatThrownBy(() -> Schedule.of(hz, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.001 Hz and 1 MHz");
  }

  /** Run 1 starts 0.2 ms late and takes 1.3 ms, so that run 2 starts 0.5 ms late. */
  @Test
  void countsLatencyFromTheRelease() {
    int[] calls = {0};
    Workload workload =
        new Workload() {
          @Override
          public void threads(int operators, int blas) {}

          @Override
          public Samples time(int n, Duration limit) {
            calls[0]++;
            assertThat(n).isEqualTo(3);
            return new Samples(
                new long[] {0, 1_200_000, 2_500_000}, new long[] {400_000, 1_300_000, 400_000}, 3);
          }
        };

    Schedule.Result result = Schedule.of(1000, 3, null).run(workload);

    assertThat(calls[0]).isEqualTo(1);
    assertThat(result.latencies().durationsNs()).containsExactly(400_000, 1_500_000, 900_000);
    assertThat(result.latencies().startNs(2)).isEqualTo(2_000_000);
    assertThat(result.serviceNs()).containsExactly(400_000, 1_300_000, 400_000);
    assertThat(result.stoppedBy()).isEqualTo(StoppingRule.StoppedBy.ITERATIONS);
  }
}
