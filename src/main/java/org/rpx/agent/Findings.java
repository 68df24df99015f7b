package org.rpx.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.rpx.agent.engine.Device;
import org.rpx.agent.host.Load;
import org.rpx.agent.host.MachineFlag;
import org.rpx.agent.host.TelemetrySummary;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.report.EfficiencyReport.Bound;
import org.rpx.agent.report.EfficiencyReport.Input;
import org.rpx.agent.report.Warning;
import org.rpx.agent.report.Warning.Code;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.OpGroup;

/** What a reader of a report has to know about it, in the order in which it was found. */
final class Findings {
  private static final int MOST_NAMED = 20;

  /** Each is a line of its own. */
  private static final int MOST_GUARDS = 3;

  // As trtexec warns.
  private static final double HOST_BOUND_SHARE = 0.8;

  private final Plan plan;
  private final List<Input> inputs;
  private final ModelProperties properties;
  private final List<Warning> warnings = new ArrayList<>();
  private Load load;
  private Measurement.Threads threads;

  /** {@code properties} are null where the ops are not known: {@link #uncounted} says why. */
  Findings(Plan plan, List<Input> inputs, ModelProperties properties) {
    this.plan = plan;
    this.inputs = inputs;
    this.properties = properties;
  }

  List<Warning> all() {
    return List.copyOf(warnings);
  }

  /** Where nobody watched the machine: the load before and after, and the threads taken. */
  void contention(Load load, Measurement.Threads threads) {
    this.load = load;
    this.threads = threads;
  }

  /** What the machine did during the timed runs. */
  void machine(TelemetrySummary seen, Measurement.Threads threads) {
    for (MachineFlag flag : seen.flags(Math.max(threads.operators(), threads.blas())))
      add(Warning.of(flag));
  }

  /** Where it ran, if that is not what the plan says in so many words. */
  void device(Device device, String countedOnCpu) {
    if (device.reason() != null)
      warn(
          Code.UNAVAILABLE,
          "device: auto found no accelerator (" + device.reason() + "): the CPU was taken");
    if (countedOnCpu != null)
      warn(
          Code.COUNTED_ON_CPU,
          "the count was made on the CPU, where it is the same: the device could not make it ("
              + countedOnCpu
              + ")");
  }

  /** One that somebody else found; null where there is none. */
  void add(Warning found) {
    if (found != null) warnings.add(found);
  }

  void noResidentPeak() {
    warn(
        Code.UNAVAILABLE,
        "cpu_rss_mb: this platform cannot reset the resident high water, so that a peak of this"
            + " measurement is not known");
  }

  void unknownCache(long flushed) {
    warn(Code.UNAVAILABLE, Interludes.guess(flushed));
  }

  /** What the timed runs themselves tell. */
  void measured(Measurement measurement, int cores) {
    if (load != null && load.othersCores() != null) {
      double others = load.othersCores() + (load.stealCores() == null ? 0 : load.stealCores());
      if (others > Load.CONTENDED_SHARE * cores) {
        warn(
            Code.OVERSUBSCRIBED,
            String.format(
                Locale.ROOT,
                "the machine was contended: other processes kept %.1f of %d cores busy during the"
                    + " measurement; %d operator and %d BLAS threads were taken; stop them, or pin"
                    + " this process to cores of its own",
                others,
                cores,
                threads.operators(),
                Math.max(1, threads.blas())));
      }
    }
    hostBound(measurement);
    warnings.addAll(Flags.of(measurement));
  }

  private void hostBound(Measurement measurement) {
    if (measurement.deviceTimes() == null || measurement.samples().count() == 0) return;
    Double enqueue = measurement.deviceTimes().enqueueMs(50);
    double device = measurement.statistics().percentile(50) / 1e6;
    if (enqueue != null && enqueue > HOST_BOUND_SHARE * device)
      warn(
          Code.HOST_BOUND,
          String.format(
              Locale.ROOT,
              "enqueueing takes %.0f %% of the device's time: it waits for the host, so that its"
                  + " time says little of a faster host or a compiled model; use a larger batch, or"
                  + " compile the model",
              100 * enqueue / device));
  }

  void defaultInput() {
    if (plan.inputs().isEmpty() && !inputs.isEmpty()) {
      Input only = inputs.get(0);
      String shape = only.shape().stream().map(String::valueOf).collect(Collectors.joining("x"));
      warn(
          Code.DEFAULT_INPUT,
          "no --input was given: one " + only.dtype() + " " + shape + " tensor was used");
    }
  }

  /** No tier 1, and why. */
  void uncounted(String reason) {
    warn(Code.UNAVAILABLE, Warning.NO_TIER1 + reason);
  }

  /** Products of an exported graph that lead to no output. */
  void dead(int products) {
    if (products > 0)
      warn(
          Code.DEAD_CODE,
          products
              + (products == 1 ? " product of the graph leads" : " products of the graph lead")
              + " to no output: an executor drops it, and it is not counted");
  }

  /** Conditions of an exported program on its inputs that are not checked, with the reasons. */
  void unchecked(List<String> guards) {
    if (!guards.isEmpty())
      warn(
          Code.UNCHECKED_GUARDS,
          (guards.size() == 1 ? "a condition" : guards.size() + " conditions")
              + " of the file on its inputs (guards_code) cannot be checked here: "
              + some(guards, MOST_GUARDS)
              + "; see that these inputs fulfil "
              + (guards.size() == 1 ? "it" : "them"));
  }

  /**
   * Figures of the graph that are not those of what ran, with both.
   *
   * @param layout the device whose kernels alone are the reason; null where the file may be
   */
  void differing(String figures, String layout) {
    warn(
        Code.COUNTS_DIFFER,
        "what the graph says and what ran differ: "
            + figures
            + "; the report has the graph's: "
            + (layout == null
                ? "please report this file"
                : "kernels of " + layout + " lay out results in another way, and copies follow"));
  }

  /** What the count leaves open, and whose rules it follows. */
  void counted() {
    if (properties == null) return;
    if (!properties.flopsComplete()) incomplete();
    if (!plan.registry().added().isEmpty()) ownRules();
  }

  private void incomplete() {
    List<String> failed = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    properties
        .uncountedOps()
        .forEach(
            (op, u) ->
                (plan.registry().hasRule(op) ? failed : unknown)
                    .add(op + " (" + u.calls() + (u.calls() == 1 ? " call)" : " calls)")));
    String message = "FLOPs are a lower bound: ";
    if (!unknown.isEmpty()) message += "no rule for " + some(unknown) + "; --flop-rule gives one";
    if (!failed.isEmpty())
      message +=
          (unknown.isEmpty() ? "" : "; ")
              + "the rule for "
              + some(failed)
              + " does not fit a call, or its result passes 2^63";
    warn(Code.FLOPS_INCOMPLETE, message);
  }

  /** A graph may have any number of ops; the report has them all. */
  private static String some(List<String> ops) {
    return some(ops, MOST_NAMED);
  }

  private static String some(List<String> all, int most) {
    int more = all.size() - most;
    String first = String.join(", ", all.subList(0, Math.min(most, all.size())));
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private void ownRules() {
    Set<String> ran = properties.ops().stream().map(OpGroup::op).collect(Collectors.toSet());
    List<String> used = plan.registry().added().stream().filter(ran::contains).toList();
    List<String> idle = plan.registry().added().stream().filter(o -> !ran.contains(o)).toList();
    if (!used.isEmpty())
      warn(Code.OWN_RULES, "FLOPs of " + String.join(", ", used) + " follow rules that were given");
    if (!idle.isEmpty())
      warn(
          Code.OWN_RULES,
          "a rule was given for "
              + String.join(", ", idle)
              + ", which did not run: check the name");
  }

  /** GPUs without a bound. */
  void unbounded(List<Bound> bounds) {
    String without =
        bounds.stream()
            .filter(b -> b.latencyMs() == null)
            .map(Bound::gpu)
            .collect(Collectors.joining(", "));
    if (without.isEmpty()) return;
    warn(
        Code.UNAVAILABLE,
        properties.precision() == null
            ? "no type is known that the model reckons in: no roofline bound"
            : "no "
                + properties.precision()
                + " peak is known for "
                + without
                + ": no roofline bound there");
  }

  void warn(Code code, String message) {
    warnings.add(new Warning(code, message));
  }
}
