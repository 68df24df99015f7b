package org.rpx.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.rpx.agent.tier1.ModelProperties;

/** Compares what the graph of an exported program says with what ran (docs/method.md). */
final class GraphCheck {
  private GraphCheck() {}

  /** Whether the graph leaves open what runs: a branch or a loop on values. */
  static boolean leavesOpen(ModelProperties graph) {
    return graph.uncountedOps().keySet().stream().anyMatch(op -> op.startsWith("higher_order::"));
  }

  /** Each figure that differs, with both: "FLOPs (10, ran 20), …"; null where none does. */
  static String differences(ModelProperties graph, ModelProperties ran) {
    List<String> found = new ArrayList<>();
    add(found, "FLOPs", graph.flops(), ran.flops());
    add(
        found,
        "compulsory bytes",
        graph.traffic().compulsoryBytes(),
        ran.traffic().compulsoryBytes());
    add(found, "fused bytes", graph.traffic().fusedBytes(), ran.traffic().fusedBytes());
    add(found, "unfused bytes", graph.traffic().unfusedBytes(), ran.traffic().unfusedBytes());
    add(
        found,
        "bytes of the liveness peak",
        graph.activations().livenessPeakBytes(),
        ran.activations().livenessPeakBytes());
    return found.isEmpty() ? null : String.join(", ", found);
  }

  /**
   * Whether no more than bytes between ops differ, which a device's kernel decides by how it lays
   * out its result: one that the graph views may need a copy there.
   */
  static boolean layoutOnly(ModelProperties graph, ModelProperties ran) {
    return Objects.equals(graph.flops(), ran.flops())
        && Objects.equals(graph.traffic().compulsoryBytes(), ran.traffic().compulsoryBytes());
  }

  private static void add(List<String> found, String figure, Long graph, Long ran) {
    if (!Objects.equals(graph, ran)) found.add(figure + " (" + graph + ", ran " + ran + ")");
  }
}
