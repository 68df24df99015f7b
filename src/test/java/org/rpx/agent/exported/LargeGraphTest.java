package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.rpx.agent.exported.GraphText.argument;
import static org.rpx.agent.exported.GraphText.list;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.tier1.ModelProperties;

/** Graphs larger than any that is known, from the file to the report. A tensor has 128 bytes. */
class LargeGraphTest {
  private static final int NODES = 100_000;

  /** Tenfold; what is quadratic takes minutes. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path folder;

  private ModelProperties count(TestArchive archive) throws IOException {
    Path file = archive.write(folder.resolve("large.pt2"));
    return assertTimeout(
        LIMIT,
        () -> {
          EfficiencyReport report = Rpx.profile(ModelSource.of(file), Plan.counting());
          JsonReport.write(report, Writer.nullWriter());
          assertThat(report.warnings()).allMatch(w -> w.message().length() < 2000);
          return report.tier1();
        });
  }

  private static List<String> names(String prefix, int n) {
    return IntStream.range(0, n).mapToObj(i -> prefix + i).toList();
  }

  @Test
  void aChain() throws IOException {
    GraphText graph = new GraphText().tensor("v0", 4, 8).input("v0");
    for (int i = 0; i < NODES; i++) {
      graph.tensor("v" + (i + 1), 4, 8);
      graph.call("relu", "layers." + i, argument("self", "v" + i), "v" + (i + 1));
    }
    ModelProperties found = count(graph.archive("v" + NODES));
    assertThat(found.traffic().unfusedBytes()).isEqualTo(NODES * 256L);
    assertThat(found.traffic().fusedBytes()).isEqualTo(256);
    assertThat(found.activations().livenessPeakBytes()).isEqualTo(256);
    // The root, "layers", and each of them.
    assertThat(found.modules()).hasSize(NODES + 2);
    assertThat(found.flopsComplete()).isTrue();
  }

  @Test
  void writesToOneTensor() throws IOException {
    GraphText graph = new GraphText().tensor("x", 4, 8).input("x").tensor("v0", 4, 8);
    graph.call("relu", "a", argument("self", "x"), "v0");
    for (int i = 0; i < NODES; i++) {
      graph.tensor("v" + (i + 1), 4, 8);
      graph.call("relu_", "a", argument("self", "v" + i), "v" + (i + 1));
    }
    ModelProperties found = count(graph.archive("v" + NODES));
    assertThat(found.traffic().unfusedBytes()).isEqualTo((NODES + 1) * 256L);
    assertThat(found.activations().livenessPeakBytes()).isEqualTo(128);
  }

  @Test
  void manyThatLiveUntilTheEnd() throws IOException {
    GraphText graph = new GraphText().tensor("x", 4, 8).input("x").tensor("all", 4 * NODES, 8);
    for (String name : names("v", NODES)) {
      graph.tensor(name, 4, 8);
      graph.call("relu", "a", argument("self", "x"), name);
    }
    graph.call("cat", "a", list("tensors", names("v", NODES)), "all");
    ModelProperties found = count(graph.archive("all"));
    assertThat(found.activations().livenessPeakBytes()).isEqualTo(2 * NODES * 128L);
    assertThat(found.traffic().unfusedBytes()).isEqualTo(NODES * 256L + 2 * NODES * 128L);
  }

  @Test
  void oneOpOfManyArgumentsAndResults() throws IOException {
    int n = 30_000;
    GraphText graph = new GraphText().tensor("x", 4, 8).input("x");
    names("v", n).forEach(name -> graph.tensor(name, 4, 8));
    String arguments =
        String.join(", ", names("a", n).stream().map(a -> argument(a, "x")).toList());
    graph.call("my.own", "a", arguments, names("v", n).toArray(new String[0]));
    ModelProperties found = count(graph.archive("v" + (n - 1)));
    assertThat(found.uncountedOps().get("my::own").calls()).isEqualTo(1);
    assertThat(found.traffic().unfusedBytes()).isEqualTo(128L + n * 128L);
  }

  @Test
  void unknownOps() throws IOException {
    GraphText graph = new GraphText().tensor("v0", 4, 8).input("v0");
    int n = NODES / 2;
    for (int i = 0; i < n; i++) {
      graph.tensor("v" + (i + 1), 4, 8);
      graph.call("my.op" + i, "m" + i, argument("self", "v" + i), "v" + (i + 1));
    }
    ModelProperties found = count(graph.archive("v" + n));
    assertThat(found.uncountedOps()).hasSize(n);
    assertThat(found.flops()).isZero();
  }
}
