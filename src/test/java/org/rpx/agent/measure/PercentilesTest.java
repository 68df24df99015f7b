package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  private static Samples shuffled(int n) {
    long[] ns = LongStream.rangeClosed(1, n).toArray();
    Random random = new Random(3);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long swapped = ns[i];
      ns[i] = ns[j];
      ns[j] = swapped;
    }
    return new Samples(new long[n], ns, n);
  }

  /** With samples 1 ... n in random order, the ends are the ranks: 40 and 61 of 100. */
  @Test
  void intervalOfIndependentSamplesIsThatOfTheTables() {
    PercentileEstimate median = Percentiles.of(shuffled(100)).at(50);

    assertThat(median.value()).isEqualTo(50.5);
    assertThat(median.effective()).isEqualTo(100);
    assertThat(median.interval()).isEqualTo(new Interval(40, 61));
    assertThat(median.relativeHalfWidth()).isEqualTo(10.5 / 50.5);
    assertThat(median.tooFewSamples()).isFalse();
    assertThat(median.reason()).isNull();
  }

  @Test
  void belowTheCountThereIsNoValueAndAReason() {
    PercentileEstimate p99 = Percentiles.of(shuffled(298)).at(99);

    assertThat(p99.value()).isNull();
    assertThat(p99.interval()).isNull();
    assertThat(p99.relativeHalfWidth()).isNull();
    assertThat(p99.tooFewSamples()).isTrue();
    assertThat(p99.reason()).isEqualTo("p99 needs 299 samples, has 298; run longer");
    assertThat(Percentiles.of(shuffled(299)).at(99).value()).isNotNull();
  }

  @Test
  void theMedianIsGivenForAnyCount() {
    PercentileEstimate median = Percentiles.of(shuffled(5)).at(50);

    assertThat(median.value()).isEqualTo(3);
    assertThat(median.interval()).isNull();
    assertThat(median.tooFewSamples()).isTrue();
    assertThat(Percentiles.of(shuffled(6)).at(50).interval()).isEqualTo(new Interval(1, 6));
  }

  @Test
  void extremesHaveNoInterval() {
    List<PercentileEstimate> ends = Percentiles.of(shuffled(400)).at(List.of(0.0, 100.0));

    assertThat(ends).extracting(PercentileEstimate::value).containsExactly(1.0, 400.0);
    assertThat(ends).allMatch(end -> end.interval() == null && !end.tooFewSamples());
    assertThat(ends).allMatch(end -> end.reason().contains("min and max"));
  }

  /** Blocks of ten equal runs are a tenth as many independent ones: τ of such a series is 10. */
  @Test
  void samplesThatResembleTheirNeighboursCountForFewer() {
    Samples single = shuffled(300);
    long[] repeated = new long[3000];
    for (int i = 0; i < repeated.length; i++) repeated[i] = single.durationNs(i / 10);
    PercentileEstimate median = Percentiles.of(new Samples(new long[3000], repeated, 3000)).at(50);

    assertThat(median.effective()).isBetween(200.0, 400.0);
    assertThat(median.interval().halfWidth()).isBetween(14.0, 23.0);
  }

  @Test
  void tooMuchResemblanceIsTooFewSamples() {
    long[] rising = LongStream.rangeClosed(1, 400).toArray();
    PercentileEstimate p99 = Percentiles.of(new Samples(new long[400], rising, 400)).at(99);

    assertThat(p99.value()).isNotNull();
    assertThat(p99.interval()).isNull();
    assertThat(p99.tooFewSamples()).isTrue();
    assertThat(p99.reason()).contains("299 independent samples", "400", "run longer");
  }

  @Test
  void equalSamplesHaveAnIntervalOfNoWidth() {
    long[] same = new long[100];
    java.util.Arrays.fill(same, 7);

    assertThat(Percentiles.of(new Samples(new long[100], same, 100)).at(50).interval())
        .isEqualTo(new Interval(7, 7));
  }

  @Test
  void intervalsHoldTheirValueAndRise() {
    Random random = new Random(5);
    for (int n = 1; n <= 1000; n += 13) {
      double[] x = SimulatedSeries.heavyTailed().draw(n, random);
      Percentiles percentiles = Percentiles.of(SimulatedSeries.samples(x));
      double previous = 0;
      for (double p : new double[] {10, 25, 50, 75, 90, 95, 99}) {
        PercentileEstimate estimate = percentiles.at(p);
        if (estimate.value() == null) continue;
        assertThat(estimate.value()).isGreaterThanOrEqualTo(previous);
        previous = estimate.value();
        if (estimate.interval() != null) {
          assertThat(estimate.interval().contains(estimate.value())).isTrue();
        }
      }
    }
  }

  @Test
  void refusesWhatIsNoPercentile() {
    assertThatThrownBy(() -> Percentiles.of(shuffled(10)).at(101))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 100");
    assertThatThrownBy(() -> Percentiles.of(new Samples(new long[0], new long[0], 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no samples");
  }
}
