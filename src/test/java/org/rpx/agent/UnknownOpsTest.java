package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.exported.EditedProgram;

/** A program with ops that the LibTorch at hand has not, and with what cannot be laid out. */
class UnknownOpsTest {
  private static final Path MODEL = Path.of("src/test/resources/exported/versions/torch_2_9.pt2");

  @TempDir Path folder;

  @Test
  void areAllNamedWhenTheFileIsLoaded() throws IOException {
    ModelSource source = ModelSource.parse(edited(UnknownOpsTest::edit).toString());

    NativeException e = refused(source);

    assertThat(e.getMessage())
        .contains(source.text())
        .contains("aten::conv2z, ")
        .contains("aten::layer_norm.wide, ")
        .contains("aten::mul.Tensor without its argument other, ")
        .contains("aten::mul.Tensor's argument factor")
        .contains("vendor::linear")
        .contains("LibTorch " + LibTorch.facts().get("libtorch_version") + " has no ")
        .contains("; these cannot be run here: ")
        .contains("aten::add.Tensor's argument alpha (as_complex), ")
        .contains("higher_order::scan (an operator on graphs)")
        .contains(
            "torch 2.9.1+cu128 wrote the file: export the model again without that, or take another LibTorch")
        .contains("--library libops.so", "--allow-native-code")
        .doesNotContain("\n");
  }

  /** An archive in the layout of torch 2.5 that somebody packed again: its members are deflated. */
  @Test
  void weightsInsideCompressedMembersAreNamedWithTheRemedy() {
    Path file = Path.of("src/test/resources/exported/old_layout.pt2");

    assertThat(refused(ModelSource.of(file)).getMessage())
        .isEqualTo(
            file
                + ": these cannot be run here: its weight conv.weight and 1 more (missing, or inside"
                + " a compressed member: store the members without compression): export the model"
                + " again");
  }

  /** LibTorch's own ops come with no library. */
  @Test
  void aLibraryIsNoRemedyForOpsOfLibTorch() throws IOException {
    Path file = edited(nodes -> ((ObjectNode) nodes.get(1)).put("target", "torch.ops.aten.conv2z"));

    assertThat(refused(ModelSource.parse(file.toString())).getMessage())
        .contains("has no aten::conv2z; torch 2.9.1")
        .doesNotContain("--library");
  }

  /** A file may name any number; one line names the first twenty. */
  @Test
  void ofManyTheFirstAreNamedAndTheOthersCounted() throws IOException {
    Path file =
        edited(
            nodes -> {
              for (int i = 100; i < 150; i++) {
                node(nodes, "torch.ops.vendor.op" + i + ".default");
                node(nodes, "torch.ops.higher_order.op" + i);
              }
            });

    assertThat(refused(ModelSource.parse(file.toString())).getMessage())
        .contains("vendor::op100, ", "vendor::op119 and 30 more; ")
        .contains(
            "higher_order::op100 (", "higher_order::op119 (an operator on graphs) and 30 more;")
        .doesNotContain("op120");
  }

  private static NativeException refused(ModelSource source) {
    NativeException e =
        catchThrowableOfType(
            NativeException.class,
            () -> Rpx.session(source, SessionOptions.of(Plan.counting()).withWarmup(0)).close());
    assertThat(e.code()).isEqualTo(NativeException.Code.UNSUPPORTED);
    return e;
  }

  /** One that takes and gives nothing: it is run for what it does. */
  private static void node(ArrayNode nodes, String target) {
    ObjectNode node = nodes.addObject().put("target", target);
    node.putArray("inputs");
    node.putArray("outputs");
  }

  private Path edited(Consumer<ArrayNode> edit) throws IOException {
    return EditedProgram.write(
        MODEL, folder, program -> edit.accept((ArrayNode) program.at("/graph_module/graph/nodes")));
  }

  private static void edit(ArrayNode nodes) {
    for (JsonNode node : nodes) {
      String op = node.get("target").asText();
      String changed =
          switch (op) {
            case "torch.ops.aten.conv2d.default" -> "torch.ops.aten.conv2z.default";
            case "torch.ops.aten.layer_norm.default" -> "torch.ops.aten.layer_norm.wide";
            case "torch.ops.aten.linear.default" -> "torch.ops.vendor.linear.default";
            default -> op;
          };
      ((ObjectNode) node).put("target", changed);
      if (op.equals("torch.ops.aten.mul.Tensor"))
        ((ObjectNode) node.get("inputs").get(1)).put("name", "factor");
      if (op.equals("torch.ops.aten.add.Tensor"))
        ((ArrayNode) node.get("inputs"))
            .addObject()
            .put("name", "alpha")
            .putObject("arg")
            .putObject("as_complex")
            .put("real", 0.0)
            .put("imag", 1.0);
    }
    node(nodes, "torch.ops.higher_order.scan");
  }
}
