package org.rpx.agent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemCardsTest {
  private static final LibraryFacts LIBRARY =
      new LibraryFacts(Map.of("libtorch_version", "2.10.0", "openmp", "GNU"), "bf16", 4, "224x224");
  @TempDir Path root;

  @Test
  void fillsTheCardOfAJetson() {
    SystemCard card =
        SystemCards.detect(
                Recorded.machine("jetson-agx-orin"),
                LIBRARY,
                NvidiaFacts.NONE,
                Map.of("OMP_NUM_THREADS", "4", "HOME", "/home/me"))
            .build();

    assertThat(card.cpuName()).startsWith("ARM Cortex-A78AE");
    assertThat(card.ramGb()).isEqualTo(61.4); // 64335836 KiB are 61.3554 GiB
    assertThat(card.os()).isEqualTo("Ubuntu 22.04.5 LTS, Linux 5.15.148-tegra");
    assertThat(card.driverVersion()).isEqualTo("540.4.0");
    assertThat(card.pytorchVersion()).isEqualTo("2.10.0");
    assertThat(card.pythonVersion()).isNull();
    assertThat(card.cudaVersion()).isNull();
    assertThat(card.precision()).isEqualTo("bf16");
    assertThat(card.batchSize()).isEqualTo(4);
    assertThat(card.inputResolution()).isEqualTo("224x224");
    assertThat(card.gpuName()).isEmpty();
    assertThat(card.more())
        .containsEntry("libtorch", LIBRARY.libtorch())
        .containsEntry("l4t", "R36.4.3")
        .containsEntry("power_mode", "MODE_30W (id 2)")
        .containsEntry("cores_available", 8.0)
        .containsEntry("memory_available_gb", 50.0)
        .containsEntry("swap_total_gb", 30.7)
        .containsEntry("uptime_s", 422L) // 421.50, and Math.round goes up
        .containsEntry("environment", Map.of("OMP_NUM_THREADS", "4"))
        .doesNotContainKey("container_limits");
  }

  @Test
  void leavesOutWhatItDoesNotKnow() {
    SystemCard card =
        SystemCards.detect(
                root, new LibraryFacts(null, null, null, null), NvidiaFacts.NONE, Map.of())
            .build();

    assertThat(card.ramGb()).isNull();
    assertThat(card.cpuName()).isNull();
    assertThat(card.pytorchVersion()).isNull();
    assertThat(card.driverVersion()).isEmpty();
    assertThat(card.more().keySet()).containsExactly("jvm", "sensors");
    assertThat(card.more().get("sensors"))
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsOnlyKeys("cpu.clock", "cpu.clock_lowest");
  }

  /** Python: round(2.25, 1) is 2.2 and round(2.75, 1) is 2.8; 0.05 is a little more than 0.05. */
  @Test
  void roundsAsPythonDoes() {
    long gib = 1L << 30;
    assertThat(HostFacts.gib(9 * gib / 4)).isEqualTo(2.2);
    assertThat(HostFacts.gib(11 * gib / 4)).isEqualTo(2.8);
    assertThat(HostFacts.gib(gib / 4)).isEqualTo(0.2);
  }

  @Test
  void readsThisMachine() {
    SystemCard card = SystemCard.detect(Path.of("/"), LIBRARY, NvidiaFacts.NONE).build();

    assertThat(card.cpuName()).isNotBlank();
    assertThat(card.ramGb()).isPositive();
    assertThat(card.os()).isNotBlank();
  }

  @Test
  void readsTheJavaMachinesOptionsButNoSecrets() {
    Recorded.write(
        root,
        "proc/self/cmdline",
        String.join(
            "\0",
            "/usr/bin/java",
            "-Xmx2g",
            "-cp",
            "-Xodd.jar",
            "-Dpassword=1",
            "-javaagent:a.jar=token",
            "@flags",
            "-XX:+UseZGC",
            "-jar",
            "rpx.jar",
            "-Xmodel",
            ""));
    Map<String, String> environment =
        Map.of("JAVA_TOOL_OPTIONS", "-Xss1m -Dkey=2", "_JAVA_OPTIONS", "-XX:+UseSerialGC");

    assertThat(JvmFacts.arguments(new Tree(root), environment))
        .containsExactly(
            "-Xss1m", "-Xmx2g", "-javaagent:a.jar", "@argfile", "-XX:+UseZGC", "-XX:+UseSerialGC");
    assertThat(JvmFacts.read(new Tree(root), environment))
        .containsEntry("collector", "Serial")
        .containsEntry("version", System.getProperty("java.runtime.version"));
  }

  @Test
  void tellsTheCollectorByItsThreads() {
    Recorded.write(root, "proc/self/task/1/comm", "java\n");
    assertThat(JvmFacts.collector(new Tree(root), List.of())).isNull();
    Recorded.write(root, "proc/self/task/2/comm", "VM Thread\n");
    assertThat(JvmFacts.collector(new Tree(root), List.of())).isEqualTo("Serial");
    Recorded.write(root, "proc/self/task/0/comm", "GC Thread#0\n");
    assertThat(JvmFacts.collector(new Tree(root), List.of())).isEqualTo("Parallel");
    Recorded.write(root, "proc/self/task/3/comm", "G1 Main Marker\n");
    assertThat(JvmFacts.collector(new Tree(root), List.of())).isEqualTo("G1");
  }

  /** The slow way, which the card avoids, knows the collector for certain. */
  @Test
  void agreesWithTheManagementBeans() {
    assumeThat(Files.exists(Path.of("/proc/self/task"))).isTrue();
    Map<String, String> byBean =
        Map.of(
            "G1 Young Generation", "G1",
            "Copy", "Serial",
            "PS Scavenge", "Parallel",
            "ZGC Cycles", "Z",
            "Shenandoah Cycles", "Shenandoah");
    List<String> beans =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList();
    String collector = JvmFacts.collector(new Tree(Path.of("/")), List.of());

    assertThat(beans.stream().map(byBean::get)).contains(collector);
  }

  @Test
  void keepsTheVariablesThatChangeResults() {
    assertThat(
            ResultEnvironment.of(
                Map.of(
                    "CUDA_VISIBLE_DEVICES", "",
                    "CUDA_HOME", "/usr/local/cuda",
                    "NVIDIA_TF32_OVERRIDE", "0",
                    "KMP_AFFINITY", "compact",
                    "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True",
                    "MY_OMP_X", "1",
                    "PATH", "/bin")))
        .containsOnlyKeys(
            "CUDA_VISIBLE_DEVICES",
            "KMP_AFFINITY",
            "NVIDIA_TF32_OVERRIDE",
            "PYTORCH_CUDA_ALLOC_CONF");
  }
}
