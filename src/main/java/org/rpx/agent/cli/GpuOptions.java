package org.rpx.agent.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.tier2.GpuTable;
import picocli.CommandLine.Option;

/** The reference GPUs of tier 2. */
final class GpuOptions {
  @Option(
      names = "--gpu",
      paramLabel = "NAME",
      description =
          "A reference GPU of `rpx-agent gpus`; again for more. Default: A100-80GB, RTX 4090, Jetson Orin 64GB.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--gpu-spec",
      paramLabel = "FILE",
      description =
          "More GPUs, from a table with the columns that `rpx-agent gpus --format csv` prints.")
  private Path file;

  /** The named GPUs; without names, the defaults or all of the file. */
  List<GpuTable.Row> rows() {
    GpuTable reference = GpuTable.reference();
    if (file == null) {
      return names.isEmpty() ? GpuTable.defaults() : names.stream().map(reference::find).toList();
    }
    GpuTable own = read();
    if (names.isEmpty()) return own.rows();
    return names.stream()
        .map(name -> own.has(name) ? own.find(name) : reference.find(name))
        .toList();
  }

  private GpuTable read() {
    try (Reader reader = Files.newBufferedReader(file)) {
      return GpuTable.parse(file.toString(), reader);
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new IllegalArgumentException(
          file + " (--gpu-spec) cannot be read: " + Output.reason(e), e);
    }
  }
}
