package org.rpx.agent;

import java.util.Arrays;
import java.util.List;
import org.rpx.agent.trace.InputSpec;

/**
 * How a {@link Session} runs its model. Immutable; start from {@link #threads} or {@link #of} and
 * say what differs: {@code SessionOptions.threads(1).withDevice("cuda").withPrecision("fp16")}.
 * What cannot be is an IllegalArgumentException there and then.
 */
public final class SessionOptions {
  private final Plan plan;
  private final Integer warmup;

  private SessionOptions(Plan plan, Integer warmup) {
    this.plan = plan;
    this.warmup = warmup;
  }

  /** On the CPU with this many threads for operators; the BLAS has one. */
  public static SessionOptions threads(int operators) {
    return of(Plan.defaults().withThreads(operators));
  }

  /**
   * With a plan's inputs, seed, batch, device, precision, native code, and threads (one where it
   * says none); nothing else of it counts.
   */
  public static SessionOptions of(Plan plan) {
    return new SessionOptions(plan, null);
  }

  /** The inputs' shapes and first values, as {@link InputSpec#parse} takes them: "1x3x224x224". */
  public SessionOptions withInputs(String... inputs) {
    return withInputs(Arrays.stream(inputs).map(InputSpec::parse).toList());
  }

  /** The inputs' shapes and first values. */
  public SessionOptions withInputs(List<InputSpec> inputs) {
    return new SessionOptions(plan.withInputs(inputs), warmup);
  }

  /** "cpu", "cuda", "cuda:1" …; "auto" for the accelerator, where there is one. */
  public SessionOptions withDevice(String device) {
    return new SessionOptions(plan.withDevice(device), warmup);
  }

  /** "fp32", "fp16" or "bf16" to cast the model to; null to leave it as the file has it. */
  public SessionOptions withPrecision(String precision) {
    return new SessionOptions(plan.withPrecision(precision), warmup);
  }

  /**
   * Runs before the session is handed out. Unless said, until their times agree: 20 runs and 20 ms
   * at least, and none begins after 1 s but the third. With 0 the outputs are not known before the
   * first {@link Session#run}, which then allocates.
   */
  public SessionOptions withWarmup(int runs) {
    return new SessionOptions(plan.withWarmup(runs), runs);
  }

  Plan plan() {
    return plan;
  }

  /** Null for the rule. */
  Integer warmup() {
    return warmup;
  }
}
