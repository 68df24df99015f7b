package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.trace.InputSpec;

/** What a forward allocates counts, whichever thread does it, and each time alike. */
class TensorPeakTest {
  private static final InputSpec INPUT = InputSpec.tensor("float32", 1024);
  @TempDir Path folder;

  /**
   * testops::twice makes one tensor of 1024 float32; testops::beside makes two, both alive at its
   * end, on a thread of its own. native/test/custom_ops.cpp has them.
   */
  @Test
  void otherThreadsCount() throws IOException {
    LibTorch.operators(library());
    assertThat(peak("testops.twice(x)")).isEqualTo(4096);
    assertThat(peak("testops.beside(x)")).isEqualTo(8192);
  }

  private long peak(String call) throws IOException {
    try (NativeSession session = new NativeSession(model(call), "cpu")) {
      session.inputs(List.of(INPUT), 0);
      long first = session.tensorPeakBytes();
      // What the first count left behind, an output say, is not part of the next.
      session.run();
      assertThat(session.tensorPeakBytes()).isEqualTo(first);
      return first;
    }
  }

  /** identity.pt with a call in the place of its input. */
  private Path model(String call) throws IOException {
    Path changed = Files.createTempFile(folder, "model", ".pt");
    try (ZipFile zip = new ZipFile("src/test/resources/models/identity.pt");
        OutputStream out = Files.newOutputStream(changed);
        ZipOutputStream edited = new ZipOutputStream(out)) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        edited.putNextEntry(new ZipEntry(entry.getName()));
        if (entry.getName().matches(".*code/__torch__.*\\.py"))
          bytes =
              new String(bytes, StandardCharsets.UTF_8)
                  .replace("return x", "return ops." + call)
                  .getBytes(StandardCharsets.UTF_8);
        edited.write(bytes);
      }
    }
    return changed;
  }

  private static Path library() {
    Path natives = Path.of(System.getProperty("rpx.native"));
    for (String ending : List.of("so", "dylib")) {
      Path library = natives.resolve("libtestops." + ending);
      if (Files.exists(library)) return library;
    }
    throw new AssertionError("no libtestops in " + natives + ": run ./cppbuild.sh test");
  }
}
