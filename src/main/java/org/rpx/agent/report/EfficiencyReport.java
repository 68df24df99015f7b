package org.rpx.agent.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.tier1.ModelProperties;

/**
 * All that was found about one model: the three tiers, the machine, and what to know about the
 * figures. Numbers are raw here; only {@link #metadata} rounds, as its rows do.
 *
 * @param model the file
 * @param inputs what the forward call was given
 * @param metadata the figures as the Python module's rows have them
 * @param tier1 null for a remote (API) model, and for a local one whose ops cannot be seen: a
 *     warning says why
 * @param tier2 one entry per GPU that was asked for
 * @param tier3 null where nothing was timed
 * @param system the machine; null where nothing was asked of it
 * @param gates limits that were asked for, judged; none in a report that was read
 */
public record EfficiencyReport(
    Model model,
    List<Input> inputs,
    EfficiencyMetadata metadata,
    ModelProperties tier1,
    List<Bound> tier2,
    Measurement tier3,
    SystemCard system,
    List<Warning> warnings,
    List<Gate.Result> gates) {

  /** The version of the JSON report's shape. */
  public static final String SCHEMA = "rpx-agent/1";

  public EfficiencyReport {
    inputs = List.copyOf(inputs);
    tier2 = List.copyOf(tier2);
    warnings = List.copyOf(warnings);
    gates = List.copyOf(gates);
  }

  /** One without gates. */
  public EfficiencyReport(
      Model model,
      List<Input> inputs,
      EfficiencyMetadata metadata,
      ModelProperties tier1,
      List<Bound> tier2,
      Measurement tier3,
      SystemCard system,
      List<Warning> warnings) {
    this(model, inputs, metadata, tier1, tier2, tier3, system, warnings, List.of());
  }

  /** The same, with another tier 3. */
  public EfficiencyReport withTier3(Measurement tier3) {
    return new EfficiencyReport(
        model, inputs, metadata, tier1, tier2, tier3, system, warnings, gates);
  }

  /** The same, with other warnings. */
  public EfficiencyReport withWarnings(List<Warning> warnings) {
    return new EfficiencyReport(
        model, inputs, metadata, tier1, tier2, tier3, system, warnings, gates);
  }

  /** The same, judged. */
  public EfficiencyReport withGates(List<Gate.Result> judged) {
    return new EfficiencyReport(
        model, inputs, metadata, tier1, tier2, tier3, system, warnings, judged);
  }

  /**
   * The figures that a gate may name, by key and in the units of the keys: {@code p50_ms}, {@code
   * cpu_rss_mb}, {@code flops} (docs/report.md, {@code gates[]}). What is not known is there too,
   * with the reason.
   */
  public Map<String, Figure> figures() {
    return Figures.of(this);
  }

  /**
   * @param path as the user gave it
   * @param format "torchscript", "torch.export", "aotinductor", "api"
   * @param bytes size of the file; null for an API model
   * @param sha256 of the file, in hex; null for an API model
   */
  public record Model(String path, String format, Long bytes, String sha256) {}

  /**
   * One tensor of the input.
   *
   * @param name the argument's name, with the path inside it where it is nested ("state.0")
   * @param values what it held ("seeded uniform", "fill 5", "file x.npy"); null where a report of
   *     an earlier version does not tell
   */
  public record Input(String name, List<Long> shape, String dtype, String values) {
    public Input {
      shape = List.copyOf(shape);
    }

    /** One whose values nobody tells. */
    public Input(String name, List<Long> shape, String dtype) {
      this(name, shape, dtype, null);
    }
  }

  /**
   * Tier 2: one GPU's roofline lower bound for one forward call, unrounded.
   *
   * @param precision the precision whose peak was taken
   * @param computeMs null, like the others, where the GPU has no known peak for it or FLOPs or
   *     traffic are unknown
   * @param bottleneck "compute" or "memory"
   * @param opByOpMs the sum over ops of max(compute, memory), each with the peak of its own type
   *     and its unfused bytes; null where the GPU has no known peak for one of them
   * @param shareByOp of {@code opByOpMs}, largest first; null where that is
   */
  public record Bound(
      String gpu,
      String precision,
      Double computeMs,
      Double memoryMs,
      Double latencyMs,
      String bottleneck,
      Double opByOpMs,
      Map<String, Double> shareByOp) {

    public Bound {
      shareByOp =
          shareByOp == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(shareByOp));
    }
  }
}
