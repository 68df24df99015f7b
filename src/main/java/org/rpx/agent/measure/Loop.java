package org.rpx.agent.measure;

import java.util.List;

/**
 * What was so around each timed run.
 *
 * @param timerFloorNs what the timed loop measures of a run that does nothing; null where nobody
 *     looked, or where the samples are not of the host's clock
 * @param flushedBytes how much was written over before each run to empty the caches; null where
 *     they were left as the run before had them
 * @param cpus which the process was pinned to, as asked for; null where it was not
 * @param pace the schedule of the runs; null where they ran back to back
 * @param inputSets how many sets of inputs the runs took in turns
 */
public record Loop(
    Long timerFloorNs, Long flushedBytes, List<Integer> cpus, Pace pace, int inputSets) {
  /** Back to back, with warm caches, on any CPU. */
  public static final Loop PLAIN = new Loop(null, null, null, null);

  /** With one set of inputs. */
  public Loop(Long timerFloorNs, Long flushedBytes, List<Integer> cpus, Pace pace) {
    this(timerFloorNs, flushedBytes, cpus, pace, 1);
  }

  /** In a few words for a title; empty where there is nothing to say. */
  public String label() {
    String label = "";
    if (pace != null) label += ", paced at " + pace.rate();
    if (flushedBytes != null) label += ", cold cache";
    if (cpus != null) label += ", pinned";
    if (inputSets > 1) label += ", " + inputSets + " sets of inputs";
    return label;
  }
}
