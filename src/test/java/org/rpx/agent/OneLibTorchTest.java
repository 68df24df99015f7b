package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.InputSpec;

/** Two LibTorches in one process would be two sets of allocators and thread pools. */
class OneLibTorchTest {
  private static final Path MAPS = Path.of("/proc/self/maps");

  @Test
  void aProfileMapsOneLibTorchAndNoneOfBytedecosBindings() throws IOException {
    assumeTrue(Files.exists(MAPS), "only Linux lists the libraries of a process in " + MAPS);
    ModelSource model = ModelSource.of(Path.of("src/test/resources/models/identity.pt"));

    Rpx.profile(model, Plan.counting().withInputs(List.of(InputSpec.tensor("float32", 2, 4))));

    Set<String> libraries = libraries();
    assertThat(libraries).filteredOn(path -> named(path, "libtorch_cpu.so")).hasSize(1);
    assertThat(libraries).filteredOn(path -> named(path, "librpx.so")).hasSize(1);
    assertThat(libraries).filteredOn(path -> named(path, "libjnirpx.so")).hasSize(1);
    assertThat(libraries).noneMatch(path -> named(path, "libjnitorch"));
  }

  private static boolean named(String path, String name) {
    return path.substring(path.lastIndexOf('/') + 1).startsWith(name);
  }

  /**
   * Address, permissions, offset, device, inode, path: the path is what stands behind five gaps.
   */
  private static Set<String> libraries() throws IOException {
    return Files.readAllLines(MAPS).stream()
        .map(line -> line.split(" +", 6))
        .filter(fields -> fields.length == 6 && fields[5].startsWith("/"))
        .map(fields -> fields[5])
        .collect(Collectors.toSet());
  }
}
