package org.rpx.agent.report;

import java.nio.file.Path;
import java.time.Duration;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.StoppingRule;
import org.rpx.agent.measure.Timing;
import org.rpx.agent.measure.Workload;

/** A program that takes, judges, writes and reads ten million samples, for its heap's sake. */
final class TenMillion {
  private static final int RUNS = 10_000_000;

  private TenMillion() {}

  public static void main(String[] arguments) throws Exception {
    Timing.Result timed = Timing.run(new Quick(), StoppingRule.of(RUNS, null, null), () -> false);
    Measurement full = Reports.full().tier3();
    Measurement measured =
        new Measurement(
            "cpu", 1.0, 2.0, 3, timed.samples(), 1, full.threads(), full.peak(), full.course());
    timed = null;
    Path json =
        SamplesFileTest.write(
            Reports.with(Reports.tier1(true), measured), Path.of(arguments[0], "ten.json"));
    Double p50 = measured.percentileMs(50);
    measured = null;
    Measurement read = JsonReport.read(json).tier3();
    System.out.println(read.samples().count() + " samples, p50 " + p50 + " ms, of " + RUNS);
  }

  /** 1000 to 2000 ns in turn, none twice beside itself: their median is 1500 ns. */
  private static final class Quick implements Workload {
    private long done;

    @Override
    public void threads(int operators, int blas) {}

    @Override
    public Samples time(int n, Duration limit) {
      long[] starts = new long[n];
      long[] durations = new long[n];
      for (int i = 0; i < n; i++) {
        starts[i] = 2100L * i;
        durations[i] = 1000 + (done++ * 379) % 1001;
      }
      return new Samples(starts, durations, n);
    }
  }
}
