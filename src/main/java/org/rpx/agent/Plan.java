package org.rpx.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.trace.InputSpec;

/**
 * What to find out about a model, and how. Immutable; start from {@link #defaults} or {@link
 * #counting}.
 *
 * @param inputs one per argument of forward; empty for the default, one float32 1x3x480x640 tensor
 * @param seed of the inputs' values
 * @param device "cpu"
 * @param precision "fp32", "fp16" or "bf16" to cast the model to; null to leave it as the file has
 *     it
 * @param batch first size of every input tensor; null to leave them as they are
 * @param timed whether to measure (tier 3) or only to count
 * @param warmup forwards before the timed ones; null for the default rule
 * @param iterations timed forwards at most; null for the default: 1000, or fewer in 3 s but at
 *     least 10
 * @param duration no timed forward begins after this; null for no limit of the user's
 * @param threads of the operator pool; null to settle it by measuring
 * @param gpus reference GPUs of tier 2: their table rows
 * @param registry what each op costs
 * @param traffic the memory traffic that the row and the roofline take
 * @param elementwise whether to count pointwise operations too, beside FLOPs
 * @param nativeCode code outside LibTorch that may run
 * @param graph the exported program that an AOTInductor package was compiled from; null for none
 */
public record Plan(
    List<InputSpec> inputs,
    long seed,
    String device,
    String precision,
    Integer batch,
    boolean timed,
    Integer warmup,
    Integer iterations,
    Duration duration,
    Integer threads,
    List<GpuTable.Row> gpus,
    FlopRegistry registry,
    TrafficModel traffic,
    boolean elementwise,
    NativeCode nativeCode,
    Path graph) {

  /** The module's default input. */
  public static final InputSpec DEFAULT_INPUT = InputSpec.tensor("float32", 1, 3, 480, 640);

  public Plan {
    inputs = List.copyOf(inputs);
    gpus = List.copyOf(gpus);
    positive("batch", batch);
    // Data of a file has the batch that it has: said before a model is loaded.
    if (batch != null) for (InputSpec input : inputs) input.withBatch(batch);
    positive("iterations", iterations);
    positive("threads", threads);
    if (warmup != null && warmup < 0)
      throw new IllegalArgumentException("warmup has to be 0 or more");
    if (duration != null && (duration.isZero() || duration.isNegative())) {
      throw new IllegalArgumentException("duration has to be longer than 0");
    }
    if (precision != null && !List.of("fp32", "fp16", "bf16").contains(precision)) {
      throw new IllegalArgumentException("no precision \"" + precision + "\": fp32, fp16 or bf16");
    }
  }

  /** One that runs LibTorch's own code only. */
  public Plan(
      List<InputSpec> inputs,
      long seed,
      String device,
      String precision,
      Integer batch,
      boolean timed,
      Integer warmup,
      Integer iterations,
      Duration duration,
      Integer threads,
      List<GpuTable.Row> gpus,
      FlopRegistry registry,
      TrafficModel traffic,
      boolean elementwise) {
    this(
        inputs,
        seed,
        device,
        precision,
        batch,
        timed,
        warmup,
        iterations,
        duration,
        threads,
        gpus,
        registry,
        traffic,
        elementwise,
        NativeCode.NONE,
        null);
  }

  private static void positive(String name, Integer value) {
    if (value != null && value < 1)
      throw new IllegalArgumentException(name + " has to be 1 or more");
  }

  /** All three tiers on the CPU, with the module's three reference GPUs. */
  public static Plan defaults() {
    return new Plan(
        List.of(),
        0,
        "cpu",
        null,
        null,
        true,
        null,
        null,
        null,
        null,
        GpuTable.defaults(),
        FlopRegistry.standard(),
        TrafficModel.COMPULSORY,
        false);
  }

  /** Tiers 1 and 2 only. */
  public static Plan counting() {
    return defaults().withTimed(false);
  }

  public Plan withInputs(List<InputSpec> inputs) {
    return new Plan(
        inputs,
        seed,
        device,
        precision,
        batch,
        timed,
        warmup,
        iterations,
        duration,
        threads,
        gpus,
        registry,
        traffic,
        elementwise,
        nativeCode,
        graph);
  }

  public Plan withTimed(boolean timed) {
    return new Plan(
        inputs,
        seed,
        device,
        precision,
        batch,
        timed,
        warmup,
        iterations,
        duration,
        threads,
        gpus,
        registry,
        traffic,
        elementwise,
        nativeCode,
        graph);
  }

  /** Lets native code run, and names the program that a package was compiled from, or null. */
  public Plan withNativeCode(NativeCode nativeCode, Path graph) {
    return new Plan(
        inputs,
        seed,
        device,
        precision,
        batch,
        timed,
        warmup,
        iterations,
        duration,
        threads,
        gpus,
        registry,
        traffic,
        elementwise,
        nativeCode,
        graph);
  }
}
