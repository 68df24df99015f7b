package org.rpx.agent.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rpx.agent.CancelledException;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.report.SamplesFile;

/**
 * A measurement in a process of its own, so that neither thread pools nor caches nor a crash pass
 * from one to the next.
 */
final class FreshProcess {
  private static final int SIGNAL = 128;

  private FreshProcess() {}

  /**
   * How it ended.
   *
   * @param report null where there is none
   * @param failure why there is none, in a line
   */
  record Outcome(EfficiencyReport report, String failure) {}

  /**
   * Runs {@code rpx-agent ARGUMENTS --json FILE --quiet} and reads what it wrote.
   *
   * @throws CancelledException where the user ended it
   */
  static Outcome run(List<String> arguments) {
    Path json = null;
    try {
      json = Files.createTempFile("rpx-point-", ".json");
      Path written = json;
      Interrupt.onHalt(() -> written.toFile().delete());
      List<String> command = new ArrayList<>(launcher());
      command.addAll(arguments);
      command.addAll(List.of("--json", json.toString(), "--quiet"));
      Process process =
          new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      Interrupt.onCancel(process::destroy);
      String complaint = lastLine(process);
      int code = process.waitFor();
      if (code == ExitCode.INTERRUPTED || Interrupt.received()) throw new CancelledException();
      // A report is written on invalid measurements too.
      if (code == ExitCode.OK || (code == ExitCode.INVALID && Files.size(json) > 0))
        return new Outcome(JsonReport.read(json), null);
      return new Outcome(null, complaint != null ? complaint : died(code));
    } catch (IOException e) {
      return new Outcome(null, "no process could be started: " + Output.reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancelledException();
    } finally {
      if (json != null) {
        json.toFile().delete();
        json.resolveSibling(SamplesFile.nameBeside(json)).toFile().delete();
      }
    }
  }

  static String died(int code) {
    return code > SIGNAL
        ? "the process died of signal " + (code - SIGNAL)
        : "the process ended with " + code + " and said nothing";
  }

  /** The last of its own lines on stderr; a crashed JVM writes others too. */
  private static String lastLine(Process process) throws IOException {
    String last = null;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; )
        if (line.startsWith("rpx-agent: ")) last = line.substring("rpx-agent: ".length());
    }
    return last;
  }

  /** As this process was started: by the launcher, or as its parts where there was none. */
  static List<String> launcher() {
    String launcher = System.getProperty("rpx.launcher");
    if (launcher != null) return List.of(launcher);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return command;
  }
}
