package org.rpx.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.rpx.agent.measure.Course;
import org.rpx.agent.measure.Pace;
import org.rpx.agent.measure.StoppingRule;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.trace.InputSpec;

/**
 * What to find out about a model, and how. Immutable; start from {@link #defaults} or {@link
 * #counting} and say what differs: {@code Plan.defaults().withDevice("cuda").withBatch(8)}. What
 * cannot be is an IllegalArgumentException there and then.
 */
public final class Plan implements Cloneable {
  /** The module's default input. */
  public static final InputSpec DEFAULT_INPUT = InputSpec.tensor("float32", 1, 3, 480, 640);

  private static final Plan DEFAULTS = new Plan();

  // Set in a copy before anyone sees it, never after.
  private List<List<InputSpec>> inputSets = List.of(List.of());
  private long seed;
  private String device = "cpu";
  private String precision;
  private Integer batch;
  private boolean timed = true;
  private Integer warmup;
  private Integer iterations;
  private Duration duration;
  private Double precisionTarget;
  private List<Double> percentiles = Course.PERCENTILES;
  private Double rate;
  private boolean coldCache;
  private List<Integer> cpus;
  private Integer threads;
  private List<GpuTable.Row> gpus = GpuTable.defaults();
  private FlopRegistry registry = FlopRegistry.standard();
  private TrafficModel traffic = TrafficModel.COMPULSORY;
  private boolean elementwise;
  private NativeCode nativeCode = NativeCode.NONE;
  private Path graph;

  private Plan() {}

  /** All three tiers on the CPU, with the module's three reference GPUs. */
  public static Plan defaults() {
    return DEFAULTS;
  }

  /** Tiers 1 and 2 only. */
  public static Plan counting() {
    return DEFAULTS.withTimed(false);
  }

  /** One per argument of forward; empty for the default, one float32 1x3x480x640 tensor. */
  public List<InputSpec> inputs() {
    return inputSets.get(0);
  }

  /**
   * Sets of inputs that the timed runs take in turns; {@link #inputs} is the first, and counted.
   */
  public List<List<InputSpec>> inputSets() {
    return inputSets;
  }

  /** Of the inputs' values. */
  public long seed() {
    return seed;
  }

  /** "cpu", or an accelerator as LibTorch names it. */
  public String device() {
    return device;
  }

  /** "fp32", "fp16" or "bf16" to cast the model to; null to leave it as the file has it. */
  public String precision() {
    return precision;
  }

  /** First size of every input tensor; null to leave them as they are. */
  public Integer batch() {
    return batch;
  }

  /** Whether to measure (tier 3) or only to count. */
  public boolean timed() {
    return timed;
  }

  /** Forwards before the timed ones; null for the default rule. */
  public Integer warmup() {
    return warmup;
  }

  /** Timed forwards at most; null for the default of {@link StoppingRule}. */
  public Integer iterations() {
    return iterations;
  }

  /** No timed forward begins after this; null for no limit of the user's. */
  public Duration duration() {
    return duration;
  }

  /**
   * Timing ends once half of the median's 95 % interval is at most this share of the median; null
   * for the default.
   */
  public Double precisionTarget() {
    return precisionTarget;
  }

  /** Percentiles of the latency to report. */
  public List<Double> percentiles() {
    return percentiles;
  }

  /** Releases a second of paced runs; null for runs back to back. */
  public Double rate() {
    return rate;
  }

  /** Whether the CPU's caches are emptied before each timed run. */
  public boolean coldCache() {
    return coldCache;
  }

  /** Logical CPUs that the process is pinned to; null for those that it has. */
  public List<Integer> cpus() {
    return cpus;
  }

  /** Of the operator pool; null to settle it by measuring. */
  public Integer threads() {
    return threads;
  }

  /** Reference GPUs of tier 2: their table rows. */
  public List<GpuTable.Row> gpus() {
    return gpus;
  }

  /** What each op costs. */
  public FlopRegistry registry() {
    return registry;
  }

  /** The memory traffic that the row and the roofline take. */
  public TrafficModel traffic() {
    return traffic;
  }

  /** Whether to count pointwise operations too, beside FLOPs. */
  public boolean elementwise() {
    return elementwise;
  }

  /** Code outside LibTorch that may run. */
  public NativeCode nativeCode() {
    return nativeCode;
  }

  /** The exported program that an AOTInductor package was compiled from; null for none. */
  public Path graph() {
    return graph;
  }

  public Plan withInputs(List<InputSpec> inputs) {
    return withInputSets(List.of(inputs));
  }

  /** Timed run i, counted from 0, takes set i mod n; one at least. */
  public Plan withInputSets(List<List<InputSpec>> sets) {
    List<List<InputSpec>> all = sets.stream().map(List::copyOf).toList();
    if (all.isEmpty())
      throw new IllegalArgumentException("no set of inputs; give one, or an empty one");
    return with(p -> p.inputSets = all);
  }

  public Plan withSeed(long seed) {
    return with(p -> p.seed = seed);
  }

  public Plan withDevice(String device) {
    return with(p -> p.device = device);
  }

  public Plan withPrecision(String precision) {
    if (precision != null && !List.of("fp32", "fp16", "bf16").contains(precision))
      throw new IllegalArgumentException("no precision \"" + precision + "\": fp32, fp16 or bf16");
    return with(p -> p.precision = precision);
  }

  public Plan withBatch(Integer batch) {
    positive("batch", batch);
    return with(p -> p.batch = batch);
  }

  public Plan withTimed(boolean timed) {
    return with(p -> p.timed = timed);
  }

  public Plan withWarmup(Integer warmup) {
    if (warmup != null && warmup < 0)
      throw new IllegalArgumentException("warmup has to be 0 or more");
    return with(p -> p.warmup = warmup);
  }

  public Plan withIterations(Integer iterations) {
    positive("iterations", iterations);
    return with(p -> p.iterations = iterations);
  }

  public Plan withDuration(Duration duration) {
    if (duration != null && (duration.isZero() || duration.isNegative()))
      throw new IllegalArgumentException("duration has to be longer than 0");
    return with(p -> p.duration = duration);
  }

  public Plan withPrecisionTarget(Double precisionTarget) {
    if (precisionTarget != null && !(precisionTarget > 0 && precisionTarget < 1))
      throw new IllegalArgumentException(
          "the precision target has to lie between 0 and 1 (100 %), was " + precisionTarget);
    return with(p -> p.precisionTarget = precisionTarget);
  }

  public Plan withPercentiles(List<Double> percentiles) {
    for (Double p : percentiles)
      if (!(p > 0 && p < 100))
        throw new IllegalArgumentException(
            "a percentile lies between 0 and 100, was " + p + "; the 99th is 99");
    List<Double> all = List.copyOf(percentiles);
    return with(p -> p.percentiles = all);
  }

  /**
   * Times runs that are released on an absolute schedule, and their latency from the intended
   * release.
   *
   * @param rate in Hz, 0.001 to 1,000,000; null for runs back to back
   */
  public Plan withRate(Double rate) {
    if (rate != null) Pace.periodNs(rate);
    return with(p -> p.rate = rate);
  }

  /** Empties the CPU's last-level cache before each timed run; on the CPU only. */
  public Plan withColdCache(boolean coldCache) {
    return with(p -> p.coldCache = coldCache);
  }

  /**
   * Pins the process, all threads that it has or will have, for as long as it lives: a profile with
   * other CPUs wants another process.
   *
   * @param cpus numbers of logical CPUs; null to leave it as it is
   */
  public Plan withCpus(List<Integer> cpus) {
    if (cpus != null && (cpus.isEmpty() || cpus.stream().anyMatch(c -> c < 0)))
      throw new IllegalArgumentException("cpus are numbers of logical CPUs from 0, were " + cpus);
    List<Integer> all = cpus == null ? null : List.copyOf(cpus);
    return with(p -> p.cpus = all);
  }

  public Plan withThreads(Integer threads) {
    positive("threads", threads);
    return with(p -> p.threads = threads);
  }

  public Plan withGpus(List<GpuTable.Row> gpus) {
    List<GpuTable.Row> all = List.copyOf(gpus);
    return with(p -> p.gpus = all);
  }

  public Plan withRegistry(FlopRegistry registry) {
    return with(p -> p.registry = registry);
  }

  public Plan withTraffic(TrafficModel traffic) {
    return with(p -> p.traffic = traffic);
  }

  public Plan withElementwise(boolean elementwise) {
    return with(p -> p.elementwise = elementwise);
  }

  /** Lets native code run, and names the program that a package was compiled from, or null. */
  public Plan withNativeCode(NativeCode nativeCode, Path graph) {
    return with(
        p -> {
          p.nativeCode = nativeCode;
          p.graph = graph;
        });
  }

  private Plan with(Consumer<Plan> change) {
    Plan copy;
    try {
      copy = (Plan) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
    change.accept(copy);
    if (copy.rate != null && copy.coldCache)
      throw new IllegalArgumentException(
          "a rate and a cold cache exclude each other: emptying the caches takes the time between"
              + " the releases");
    if (copy.rate != null && copy.precisionTarget != null)
      throw new IllegalArgumentException(
          "paced runs go by a schedule to its end: give them a number or a duration, no precision"
              + " target");
    // Data of a file has the batch that it has: said before a model is loaded.
    if (copy.batch != null)
      for (List<InputSpec> set : copy.inputSets)
        for (InputSpec input : set) input.withBatch(copy.batch);
    return copy;
  }

  private static void positive(String name, Integer value) {
    if (value != null && value < 1)
      throw new IllegalArgumentException(name + " has to be 1 or more");
  }
}
