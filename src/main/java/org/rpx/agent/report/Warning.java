package org.rpx.agent.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.host.MachineFlag;

/**
 * Something a reader of the figures has to know.
 *
 * @param message what is so, and what to do about it
 */
public record Warning(Code code, String message) {

  /** What a machine did, as a warning. */
  public static Warning of(MachineFlag flag) {
    return new Warning(Code.valueOf(flag.code().name()), flag.message());
  }

  /**
   * Those of the one, and of each other kind the first, with how many had one.
   *
   * @param one the warnings that are told as they are
   * @param all of each measurement, {@code one} or not
   * @param what all of them are, in a word: "processes"
   */
  public static List<Warning> merged(List<Warning> one, List<List<Warning>> all, String what) {
    Map<Code, Integer> counts = new EnumMap<>(Code.class);
    for (List<Warning> each : all)
      each.stream().map(Warning::code).distinct().forEach(c -> counts.merge(c, 1, Integer::sum));
    List<Warning> merged = new ArrayList<>(one);
    one.forEach(warning -> counts.remove(warning.code()));
    for (List<Warning> each : all) {
      for (Warning warning : each) {
        Integer count = counts.remove(warning.code());
        if (count == null) continue;
        String where = "in " + count + " of " + all.size() + " " + what + ": ";
        merged.add(new Warning(warning.code(), where + warning.message()));
      }
    }
    return merged;
  }

  boolean explainsNoTier1() {
    return code == Code.UNAVAILABLE && message.startsWith(NO_TIER1);
  }

  /** How the message of a report without tier 1 begins; the reason follows. */
  public static final String NO_TIER1 = "tier 1: ";

  /** The closed list. */
  public enum Code {
    /** No input was given; the default shape was used. */
    DEFAULT_INPUT,
    /** Some ops are neither counted nor free; FLOPs are a lower bound. */
    FLOPS_INCOMPLETE,
    /** The user's own FLOP rules were used, or given for ops that did not run. */
    OWN_RULES,
    /** The count of an exported graph and that of the ops that ran are not the same. */
    COUNTS_DIFFER,
    /** Products of an exported graph lead to no output; an executor drops them. */
    DEAD_CODE,
    /** Conditions of an exported program on its inputs are not checked here. */
    UNCHECKED_GUARDS,
    /** A figure is null; the message says which and why. */
    UNAVAILABLE,
    /** The accelerator had no room for the count, which was made on the CPU: it is the same. */
    COUNTED_ON_CPU,
    /** The accelerator waits for the host: enqueueing takes most of the device's time. */
    HOST_BOUND,
    /** Other load or too many threads shared the cores with the timed runs. */
    OVERSUBSCRIBED,
    /** Inputs of different shapes took turns in the timed runs: percentiles are of a mixture. */
    MIXED_INPUTS,
    /** Inputs or outputs hold subnormal floats, which processors are slow on. */
    DENORMALS,
    /** The median lies below the bound of the GPU that it was measured on: one is wrong. */
    BELOW_ROOFLINE,
    /** Paced runs cannot keep up with their schedule. */
    OVERLOADED,
    /** The runs are so short that the timed loop itself shows in them. */
    TIMER_FLOOR,
    /** Fewer samples than a percentile needs to mean something. */
    TOO_FEW_SAMPLES,
    /** A clock fell while the runs lasted. */
    CLOCK_DRIFT,
    /** The hardware slowed itself down. */
    THROTTLED,
    /** Java's memory was tidied up during the runs. */
    GC_DURING_RUN,
    /** Memory was moved to and from swap. */
    SWAPPING,
    /** The CPUs' clocks follow the load. */
    GOVERNOR,
    /** The runs drift, or were still warming up. */
    TREND,
    /** The runs have several levels. */
    UNSTABLE
  }
}
