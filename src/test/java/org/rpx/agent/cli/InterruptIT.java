package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C, a kill and a hang-up end every phase soon, and leave no report and no temporary file. */
class InterruptIT {
  private static final String SLOW = "slow.pt --input 256x256 --threads 1";
  private static final String DEMO = "demo:resnet18 --input 1x3x224x224";

  @TempDir Path folder;
  private Agent agent;
  private Path reports;

  @BeforeEach
  void start() throws IOException {
    // Progress says which phase has begun.
    agent = new Agent(folder).with("-Drpx.stderr.tty=true");
    reports = Files.createDirectory(folder.resolve("reports"));
  }

  @ParameterizedTest
  @CsvSource({
    "load, measure, " + DEMO + ", INT, 130",
    "count, measure, " + SLOW + ", INT, 130",
    "count, count, " + SLOW + ", INT, 130",
    "count, measure, " + DEMO + ", INT, 130",
    "threads, measure, " + DEMO + ", INT, 130",
    "warm-up, measure, " + SLOW + ", INT, 130",
    "time, measure, " + SLOW + ", INT, 130",
    "time, measure, " + DEMO + ", INT, 130",
    "compare, compare, " + SLOW + ", INT, 130",
    "time, measure, " + SLOW + ", TERM, 143",
    "time, measure, " + SLOW + ", HUP, 129"
  })
  void interrupt(String phase, String command, String model, String signal, int exit)
      throws Exception {
    assumeFalse(ignored(exit - 128), signal + " is ignored here, and so by the child");
    String words = command + " " + model.replace("slow.pt", Agent.model("slow.pt"));
    if (command.equals("measure")) words += " --duration 60s --warmup 2";
    if (command.equals("compare")) words += " --base libtorch=" + Agent.LIBTORCH;
    Process process = agent.start((words + " --json reports/r.json").split(" "));
    try {
      await(phase, process);

      List<ProcessHandle> below = process.descendants().toList();
      send(signal, process);

      // A second, and slack for a busy machine, where a forward of two threads may take several;
      // the shortest of these forwards loops on for 60.
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends: %s", agent.soFar()).isTrue();
      for (ProcessHandle child : below) child.onExit().get(5, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(process.exitValue()).as(agent.soFar()).isEqualTo(exit);
    assertThat(agent.finish(process).out()).isEmpty();
    assertThat(agent.soFar()).doesNotContain("Exception", "error");
    assertThat(Agent.content(reports)).isEmpty();
    assertThat(Agent.content(agent.temporary())).isEmpty();
  }

  private void await(String phase, Process process) throws InterruptedException {
    while (!agent.soFar().contains(phase)) {
      assertThat(process.isAlive()).as("%s comes; so far: %s", phase, agent.soFar()).isTrue();
      Thread.sleep(5);
    }
  }

  private static void send(String signal, Process process)
      throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
  }

  /** Whether this process ignores a signal, as background jobs do, by Linux's mask of them. */
  private static boolean ignored(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return false;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:"))
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) != 0;
    }
    return false;
  }
}
