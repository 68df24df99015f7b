package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadProbeTest {
  @TempDir Path root;
  private final AtomicLong nanos = new AtomicLong(5_000_000_000L);

  // user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s.
  private static final String BEFORE =
      """
      cpu  1400 20 350 9000 300 30 40 60 100 0
      cpu0 200 10 100 3000 100 10 10 20 100 0
      cpu1 200 10 50 3000 100 10 10 20 0 0
      cpu2 1000 0 200 3000 100 10 20 20 0 0
      intr 123456 0 0 7
      """;

  /**
   * One second later. cpu0: user +50 (5 of them guests), system +20, steal +10: busy 70. cpu1: user
   * +25, nice +10, irq +2, softirq +3: busy 40, I/O wait is idle. cpu2: +100, but not ours.
   */
  private static final String AFTER =
      """
      cpu  1575 30 370 9070 310 32 43 70 105 0
      cpu0 250 10 120 3020 100 10 10 30 105 0
      cpu1 225 20 50 3050 110 12 13 20 0 0
      cpu2 1100 0 200 3000 100 10 20 20 0 0
      intr 133456 0 0 9
      """;

  @BeforeEach
  void start() {
    Recorded.write(root, "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    Recorded.write(root, "proc/stat", BEFORE);
    own(300, 40);
    switches(10, 7);
    switches(11, 5);
    switches(12, 90);
  }

  @Test
  void tellsOthersFromOurselves() {
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(1.0);
    // 1.1 s busy - 0.55 s user - 0.05 s system of our own = 0.5 s of others, over 1 s.
    Load load = probe.stop();

    assertThat(load.seconds()).isEqualTo(1.0);
    assertThat(load.ownCores()).isCloseTo(0.6, within(1e-9));
    assertThat(load.othersCores()).isCloseTo(0.5, within(1e-9));
    assertThat(load.stealCores()).isCloseTo(0.1, within(1e-9));
    // Thread 10: 7 -> 9. 11: 5 -> 5. 12: 90 -> 4, a new thread under an old id. 13: new, 6.
    assertThat(load.involuntarySwitches()).isEqualTo(2 + 0 + 4 + 6);
  }

  /** One side of a comparison of processes is no load beside it. */
  @Test
  void whatProcessesOfOursTakeIsNotOthers() {
    Recorded.write(root, "proc/7/stat", stat(1000, 20));
    LoadProbe probe = LoadProbe.start(new Tree(root), List.of(7L), nanos::get);
    later(1.0);
    Recorded.write(root, "proc/7/stat", stat(1025, 25));
    // 1.1 s busy - 0.6 s of this process - 0.3 s of the other.
    Load load = probe.stop();

    assertThat(load.ownCores()).isCloseTo(0.9, within(1e-9));
    assertThat(load.othersCores()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void knowsNothingOfOthersWhereAProcessOfOursHasEnded() {
    Recorded.write(root, "proc/7/stat", stat(1000, 20));
    LoadProbe probe = LoadProbe.start(new Tree(root), List.of(7L), nanos::get);
    later(1.0);
    Recorded.write(root, "proc/7/stat", "");

    assertThat(probe.stop().othersCores()).isNull();
  }

  @Test
  void countsEveryCpuWhereAffinityIsUnknown() {
    Recorded.write(root, "proc/self/status", "");
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(1.0);

    assertThat(probe.stop().othersCores()).isCloseTo(1.5, within(1e-9));
  }

  @Test
  void leavesOutACpuThatWasSwitchedOffMeanwhile() {
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(1.0);
    Recorded.write(root, "proc/stat", AFTER.replaceAll("(?m)^cpu1 .*\n", ""));

    // 0.7 s on cpu0 - 0.6 s of our own.
    assertThat(probe.stop().othersCores()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void isNeverNegative() {
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(1.0);
    own(300 + 110, 40 + 3); // 1.13 s of our own where the CPUs were busy for 1.1 s

    assertThat(probe.stop().othersCores()).isZero();
  }

  @Test
  void judgesNoStretchThatTheTicksCannotResolve() {
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(0.19);

    assertThat(probe.stop()).isEqualTo(new Load(null, null, null, 0.19, 12L));
    nanos.addAndGet(10_000_000);
    assertThat(probe.stop().ownCores()).isCloseTo(0.6 / 0.2, within(1e-9));
  }

  @Test
  void knowsNothingOfOthersWithoutItsOwnShare() {
    LoadProbe probe = LoadProbe.start(root, nanos::get);
    later(1.0);
    Recorded.write(root, "proc/self/stat", "1 (java) S 1");
    Load load = probe.stop();

    assertThat(load.othersCores()).isNull();
    assertThat(load.ownCores()).isNull();
    assertThat(load.stealCores()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void measuresThisMachine() {
    LoadProbe probe = LoadProbe.start(Path.of("/"));
    long end = System.nanoTime() + 400_000_000L;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    Load load = probe.stop();

    assertThat(load.seconds()).isGreaterThan(0.39);
    assertThat(load.ownCores()).isGreaterThan(0.05);
    assertThat(load.othersCores()).isNotNegative();
  }

  private void later(double seconds) {
    nanos.addAndGet(Math.round(seconds * 1e9));
    Recorded.write(root, "proc/stat", AFTER);
    own(300 + 55, 40 + 5);
    switches(10, 9);
    switches(12, 4);
    switches(13, 6);
  }

  /** A name with blanks and a bracket, as a program may give itself. */
  private void own(int user, int system) {
    Recorded.write(root, "proc/self/stat", stat(user, system));
  }

  private static String stat(int user, int system) {
    String head = "77 (my (odd) name) S 1 77 77 0 -1 4194304 104 0 0 0 ";
    return head + user + " " + system + " 0 0 20 0 3 0 94941\n";
  }

  private void switches(int thread, int count) {
    String path = "proc/self/task/" + thread + "/status";
    Recorded.write(
        root,
        path,
        "Name:\tjava\nvoluntary_ctxt_switches:\t999\nnonvoluntary_ctxt_switches:\t" + count + "\n");
  }
}
