package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.monitor.LatencyMonitor;

/** What must hold for as long as a robot is on. */
class EnduranceIT {
  private static final String MODELS = "src/test/resources/models/";

  @TempDir Path folder;

  /**
   * A session and its monitor. What is allocated in the loop would end a JVM that frees nothing.
   */
  static final class NothingIsCollected {
    private static final int CYCLES = 1_000_000;

    public static void main(String[] arguments) {
      LatencyMonitor monitor =
          LatencyMonitor.named("endurance")
              .period(Duration.ofMillis(1))
              .deadline(Duration.ofMillis(1))
              .stages("fill", "infer", "act")
              .blackBox(Path.of(arguments[1]), 4096)
              .build();
      try (Session s =
          Rpx.session(
              ModelSource.of(Path.of(arguments[0])), SessionOptions.threads(1).withInputs("1x4"))) {
        FloatBuffer in = s.input(0).asFloatBuffer();
        FloatBuffer out = s.output(0).asFloatBuffer();
        monitor.claim();
        double sum = 0;
        for (int i = 0; i < CYCLES; i++) {
          long c = monitor.begin();
          in.put(0, i & 1);
          monitor.mark(0);
          s.run();
          monitor.mark(1);
          sum += out.get(0);
          monitor.end(c);
        }
        System.out.println(monitor.snapshot().sinceStart().whole().count() + " " + sum);
      }
      monitor.close();
    }
  }

  @Test
  void aMillionCyclesAllocateNothingToCollect() throws Exception {
    ChildJvm.Result child =
        ChildJvm.run(
            folder,
            10,
            List.of(
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+UseEpsilonGC",
                "-Xmx64m",
                "-Xlog:disable",
                "-cp",
                System.getProperty("java.class.path")),
            NothingIsCollected.class.getName(),
            MODELS + "identity.pt",
            folder.toString());

    assertThat(child.text().strip()).isEqualTo("1000000 500000.0");
    assertThat(child.exit()).isZero();
  }

  /** Prints the resident set in kB after 100 and after 1,000 rounds. */
  static final class OpenRunClose {
    public static void main(String[] arguments) throws IOException {
      for (int round = 1; round <= 1000; round++) {
        try (Session s =
            Rpx.session(
                ModelSource.of(Path.of(arguments[0])),
                SessionOptions.threads(1).withInputs("2x64").withWarmup(1))) {
          s.run();
        }
        if (round == 100 || round == 1000) System.out.println(residentKb());
      }
    }

    private static long residentKb() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status")))
        if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", ""));
      throw new IOException("no VmRSS in /proc/self/status");
    }
  }

  /**
   * The model has 16 kB of weights, and its file 10 kB: a leak of either in each round would be a
   * tenth of the resident set, and so would be one of the module's graph. The Java heap is a tenth
   * of the resident set: memory of LibTorch's is not measured by it.
   */
  @Test
  void aThousandSessionsLeaveTheResidentSetFlat() throws Exception {
    org.junit.jupiter.api.Assumptions.assumeTrue(
        Files.exists(Path.of("/proc/self/status")), "the resident set is read from /proc");
    ChildJvm.Result child =
        ChildJvm.run(
            folder,
            15,
            List.of(
                "-Xms16m",
                "-Xmx16m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")),
            OpenRunClose.class.getName(),
            MODELS + "half_frozen_params.pt");

    assertThat(child.exit()).as(child.text()).isZero();
    String[] kb = child.text().strip().split("\\s+");
    assertThat(kb).hasSize(2);
    assertThat(Long.parseLong(kb[1])).isLessThan((long) (1.05 * Long.parseLong(kb[0])));
  }
}
