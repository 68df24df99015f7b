package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights that lie in an archive in a way that cannot be run: each is named. */
class PickledWeightsTest {
  @TempDir Path folder;

  @Test
  void insideACompressedMember() {
    ExportedProgram program = ExportedProgram.read(TestArchive.resource("old_layout"));

    // Their shapes are in the graph.
    assertThat(program.weights()).hasSize(2);
    refused(
        program,
        "its weight conv.weight and 1 more (missing, or inside a compressed member: store the"
            + " members without compression)");
  }

  @Test
  void aPythonObject() throws IOException {
    Path file =
        TestArchive.of("versions/torch_2_10")
            .replacing("weights_config.json", "\"use_pickle\": false", "\"use_pickle\": true")
            .write(folder.resolve("objects.pt2"));

    refused(ExportedProgram.read(file), "its weight conv.weight (a Python object)");
  }

  /** Native code reads that word, and adds what LibTorch has not. */
  private static void refused(ExportedProgram program, String what) {
    assertThat(program.flat().words()).contains(what);
  }
}
