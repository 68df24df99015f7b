package org.rpx.agent;

import java.util.List;
import java.util.Map;
import org.rpx.agent.engine.Device;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Loop;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** A report of nothing, built as a measured one is: for a program that has time to practise. */
final class MadeUpReport {
  private static final int SAMPLES = 100;

  private MadeUpReport() {}

  /** Of one small product and {@value #SAMPLES} samples; needs no LibTorch. */
  static EfficiencyReport of(Plan plan) {
    ModelProperties properties = Tier1.of("", trace(), List.of(weight()), plan);
    ReportBuilder report =
        new ReportBuilder(
            plan, List.of(new EfficiencyReport.Input("x", List.of(2L, 2L), "float32")), properties);
    report.device(Device.CPU, null);
    report.measured(measurement(plan), 1);
    return report.build(new EfficiencyReport.Model("", "torchscript", 1L, ""), Map.of());
  }

  private static TensorInfo tensor(long storage) {
    return new TensorInfo("float32", 4, storage, 0, 16, List.of(2L, 2L), List.of(2L, 1L));
  }

  private static Weight weight() {
    return new Weight("parameter", "w", true, tensor(1));
  }

  private static OpTrace trace() {
    OpCall product =
        new OpCall("aten::mm", "", "", List.of(tensor(2), tensor(1)), List.of(tensor(3)));
    return new OpTrace(List.of(product), List.of(tensor(2)), List.of(tensor(3)));
  }

  /** Of times that seem to be independent: their intervals take most to compute. */
  private static Measurement measurement(Plan plan) {
    long[] starts = new long[SAMPLES];
    long[] durations = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      starts[i] = 2000L * i;
      durations[i] = 1000 + i * i * 31 % 97;
    }
    return new Measurement(
        "cpu",
        1.0,
        1.0,
        20,
        new Samples(starts, durations, SAMPLES),
        1,
        new Measurement.Threads(1, 1, Map.of()),
        new Measurement.Peak(1.0, 1.0, null, null, null),
        new Course("steady", 1.0, "iterations", plan.percentiles())
            .withLoop(new Loop(40L, null, null, null)));
  }
}
