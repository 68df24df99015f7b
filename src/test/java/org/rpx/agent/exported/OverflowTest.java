package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rpx.agent.exported.GraphText.argument;
import static org.rpx.agent.exported.GraphText.list;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/** Sizes whose product passes 2^63: one line, and the fault where it lies. */
class OverflowTest {
  private static final int INT8 = 2;

  @TempDir Path folder;

  private EfficiencyReport count(GraphText graph, String output, String... inputs)
      throws IOException {
    Path file = graph.archive(output).write(folder.resolve("m.pt2"));
    List<InputSpec> given = Arrays.stream(inputs).map(InputSpec::parse).toList();
    return Rpx.profile(ModelSource.of(file), Plan.counting().withInputs(given));
  }

  private void isTheFiles(GraphText graph, String output, String what) {
    assertThatThrownBy(() -> count(graph, output))
        .isInstanceOf(NativeException.class)
        .hasMessage(folder.resolve("m.pt2") + ": " + what);
  }

  private void isTheInputs(GraphText graph, String output, String input, String what) {
    assertThatThrownBy(() -> count(graph, output, input))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(ProgramException.class)
        .hasMessage(folder.resolve("m.pt2") + ": " + what);
  }

  /** y = linear(x, x) for x (rows, 2^20): 2 · rows² · 2^20 FLOPs, and rows² bytes of int8. */
  private static GraphText product(Object rows) {
    String arguments = argument("input", "x") + ", " + argument("weight", "x");
    return new GraphText()
        .tensor(INT8, "x", rows, 1 << 20)
        .input("x")
        .tensor(INT8, "y", rows, rows)
        .call("linear", "a", arguments, "y");
  }

  /** y = my.own(x) for x (s, 1): nobody knows more of it than its size. */
  private static GraphText sized(String size) {
    return new GraphText()
        .tensor("x", "s", 1)
        .input("x")
        .tensor("y", size)
        .call("my.own", "a", argument("self", "x"), "y");
  }

  @Test
  void tensors() {
    isTheFiles(product(1L << 32), "y", "y has more than 2^63 bytes; export it again");
    String given = "4294967296x1048576:int8";
    isTheInputs(
        product("s"),
        "y",
        given,
        "y has more than 2^63 bytes; give smaller inputs, or export it again");
  }

  @Test
  void sizes() throws IOException {
    assertThat(count(sized("s*s*s"), "y", "100x1").tier1().traffic().unfusedBytes())
        .isEqualTo(4L * (100 + 1_000_000));
    isTheInputs(
        sized("s*s*s"),
        "y",
        "3000000000x1",
        "the size s*s*s cannot be reckoned for these inputs (it passes 2^63); give other shapes, or"
            + " export it again");
    isTheInputs(
        sized("s - 4"), "y", "2x1", "a size of y is -2; give larger inputs, or export it again");
    // The example is s = 8, and the file's own.
    isTheFiles(sized("s - 9"), "y", "a size of y is -1; give larger inputs, or export it again");
  }

  /** FLOPs of one op, 2^65, are not known, and the rest is. */
  @Test
  void oneRule() throws IOException {
    EfficiencyReport report = count(product(1L << 22), "y");
    assertThat(report.tier1().flops()).isZero();
    assertThat(report.tier1().flopsComplete()).isFalse();
    assertThat(report.tier1().traffic().unfusedBytes()).isEqualTo((1L << 42) + (1L << 44));
    assertThat(report.warnings())
        .filteredOn(w -> w.code() == Warning.Code.FLOPS_INCOMPLETE)
        .extracting(Warning::message)
        .containsExactly(
            "FLOPs are a lower bound: the rule for aten::linear (1 call) does not fit a call, or"
                + " its result passes 2^63");
  }

  /** Four times 2^61 FLOPs. */
  @Test
  void totals() throws IOException {
    GraphText graph = product(1L << 20).tensor(INT8, "all", 1L << 22, 1L << 20);
    String arguments = argument("input", "x") + ", " + argument("weight", "x");
    for (String name : List.of("y1", "y2", "y3")) {
      graph.tensor(INT8, name, 1L << 20, 1L << 20);
      graph.call("linear", "a", arguments, name);
    }
    graph.call("cat", "a", list("tensors", List.of("y", "y1", "y2", "y3")), "all");
    isTheFiles(graph, "all", "FLOPs and bytes of its ops pass 2^63; export a smaller model");
    isTheInputs(
        graph,
        "all",
        "1048576x1048576:int8",
        "FLOPs and bytes of its ops pass 2^63; give smaller inputs");
  }

  /** y alone has 2^62 bytes; at 2 bytes an element they are 2^63. */
  @Test
  void activations() {
    isTheFiles(
        product(1L << 31), "y", "bytes of its activations pass 2^63; export a smaller model");
  }
}
