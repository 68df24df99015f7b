package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    refused(program, "the bytes of its weight conv.weight are missing, or inside a member that is");
  }

  @Test
  void aPythonObject() throws IOException {
    Path file =
        TestArchive.of("versions/torch_2_10")
            .replacing("weights_config.json", "\"use_pickle\": false", "\"use_pickle\": true")
            .write(folder.resolve("objects.pt2"));

    refused(ExportedProgram.read(file), "its weight conv.weight is a Python object, which");
  }

  private static void refused(ExportedProgram program, String what) {
    assertThatIllegalArgumentException()
        .isThrownBy(program::flat)
        .withMessageContaining(".pt2: " + what)
        .withMessageContaining("; export");
  }
}
