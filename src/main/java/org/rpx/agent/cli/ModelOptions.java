package org.rpx.agent.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.TrafficModel;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which model, with which inputs, counted how, against which GPUs. */
final class ModelOptions {
  @Mixin private ForwardOptions forward;

  @Option(
      names = "--traffic",
      paramLabel = "MODEL",
      description =
          "Memory traffic of the table row and the roofline: compulsory (default), fused, unfused, or rpx (12 bytes a"
              + " parameter, as rpx_benchmark has it).")
  private String traffic = "compulsory";

  @Option(
      names = "--elementwise",
      description =
          "Count pointwise operations too, beside the FLOPs: one for each element of a result.")
  private boolean elementwise;

  @Option(
      names = "--flop-rule",
      paramLabel = "OP=FORMULA",
      description =
          "FLOPs of one call of an op, as 'my::op=2*in0.numel*in1[0]' (docs/method.md, Own rules); again for each.")
  private List<String> flopRules = new ArrayList<>();

  @Mixin private GpuOptions gpus;

  ModelSource source() {
    return forward.source();
  }

  /** Nothing timed. */
  Plan plan() {
    return forward
        .plan()
        .withGpus(gpus.rows())
        .withRegistry(FlopRegistry.standard().withFormulas(flopRules))
        .withTraffic(traffic())
        .withElementwise(elementwise);
  }

  private TrafficModel traffic() {
    for (TrafficModel model : TrafficModel.values())
      if (model.name().toLowerCase(Locale.ROOT).equals(traffic)) return model;
    throw new IllegalArgumentException(
        "no traffic model \"" + traffic + "\" (--traffic): compulsory, fused, unfused or rpx");
  }
}
