package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;

/** A program with ops that the LibTorch at hand has not. */
class UnknownOpsTest {
  private static final Path MODEL = Path.of("src/test/resources/exported/versions/torch_2_9.pt2");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void areAllNamedWhenTheFileIsLoaded() throws IOException {
    ModelSource source = ModelSource.parse(edited().toString());

    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> Rpx.session(source, Plan.counting()).close());

    assertThat(e.code()).isEqualTo(NativeException.Code.UNSUPPORTED);
    assertThat(e.getMessage())
        .contains(source.text())
        .contains("aten::conv2z, ")
        .contains("aten::layer_norm.wide, ")
        .contains("aten::mul.Tensor without its argument other, ")
        .contains("aten::mul.Tensor's argument factor")
        .contains("vendor::linear")
        .contains("LibTorch " + LibTorch.facts().get("libtorch_version") + " has no ")
        .contains("torch 2.9.1+cu128 wrote the file")
        .doesNotContain("\n");
  }

  private Path edited() throws IOException {
    Path file = folder.resolve("edited.pt2");
    try (ZipFile zip = new ZipFile(MODEL.toFile());
        OutputStream out = Files.newOutputStream(file);
        ZipOutputStream edited = new ZipOutputStream(out)) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        edited.putNextEntry(new ZipEntry(entry.getName()));
        edited.write(entry.getName().contains("/models/") ? edit(bytes) : bytes);
      }
    }
    return file;
  }

  private static byte[] edit(byte[] bytes) throws IOException {
    JsonNode program = JSON.readTree(bytes);
    for (JsonNode node : program.at("/graph_module/graph/nodes")) {
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
    }
    return JSON.writeValueAsBytes(program);
  }
}
