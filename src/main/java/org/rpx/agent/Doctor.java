package org.rpx.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.rpx.agent.engine.Device;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.Nvidia;
import org.rpx.agent.host.Check;
import org.rpx.agent.host.Telemetry;
import org.rpx.agent.host.TelemetrySummary;

/** Looks at a machine before anybody measures on it. */
final class Doctor {
  private static final Path ROOT = Path.of("/");
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** Above what the kernel's clock resolves, and short enough to wait for. */
  private static final long WATCH_MS = 500;

  /** Two readings of the processor's counter take a twentieth of that. */
  private static final long MOST_FLOOR_NS = 1000;

  private static final ModelSource SMALL = ModelSource.parse("demo:policy_transformer");

  private Doctor() {}

  /** All checks. Takes about a second, most of it watching what others do. */
  static List<Check> checks() {
    List<Check> checks = new ArrayList<>();
    String missing = libtorch(checks);
    if (missing == null) {
      accelerator(checks);
      checks.add(resident(LibTorch.resetResidentPeak()));
      checks.add(timerFloor());
    }
    checks.addAll(Check.ofMachine(ROOT, watch(missing == null ? Nvidia::management : null)));
    checks.addAll(
        Check.ofProcess(ROOT, Path.of(System.getProperty("java.io.tmpdir")), SHARED_MEMORY));
    return checks;
  }

  /** Null, or why there is no LibTorch. */
  private static String libtorch(List<Check> checks) {
    try {
      checks.add(libtorch(LibTorch.facts()));
      return null;
    } catch (NativeException e) {
      checks.add(
          Check.fail(
              "LibTorch",
              e.getMessage(),
              "start rpx-agent, which builds what is missing, or name another (--libtorch DIR)"));
      return e.getMessage();
    }
  }

  static Check libtorch(Map<String, String> facts) {
    String text =
        facts.get("libtorch_version")
            + " in "
            + facts.getOrDefault("libtorch_path", "an unknown folder")
            + ", "
            + facts.getOrDefault("operator_threads", "?")
            + " operator threads, "
            + (facts.containsKey("blas_threads")
                ? facts.get("blas_threads") + " of the BLAS"
                : "the BLAS on the same");
    if (facts.containsKey("cpu_capability")) text += ", " + facts.get("cpu_capability");
    return Check.ok("LibTorch", text);
  }

  /** Only a kernel that ran settles whether there is one: a driver may answer and still fail. */
  private static void accelerator(List<Check> checks) {
    try {
      Device device = LibTorch.device("auto");
      checks.add(
          device.isCpu()
              ? Check.none("accelerator", device.reason() == null ? "none" : device.reason())
              : Check.ok("accelerator", device.name() + ": a kernel ran there"));
    } catch (NativeException e) {
      checks.add(
          Check.warn(
              "accelerator",
              e.getMessage(),
              "measure on the CPU (--device cpu), or take a LibTorch that fits (--libtorch DIR)"));
    }
  }

  static Check resident(boolean settable) {
    return settable
        ? Check.ok("resident peak", "can be set back before a measurement")
        : Check.warn(
            "resident peak",
            "cannot be set back here: cpu_rss_mb is null in reports",
            "on Linux let this process write /proc/self/clear_refs (no read-only /proc)");
  }

  /** That of {@code measure}; the loop wants a session, of whatever model. */
  private static Check timerFloor() {
    Plan plan = Plan.defaults().withThreads(1);
    try (LoadedModel any = LoadedModel.of(SMALL, plan, Watch.NONE)) {
      return timerFloor(any.session().timerFloorNs());
    } catch (NativeException | IllegalArgumentException | java.io.UncheckedIOException e) {
      return Check.none("timer floor", "not known: " + e.getMessage());
    }
  }

  static Check timerFloor(long ns) {
    String text = ns + " ns are what the timed loop takes itself; shorter runs than ";
    text += Flags.LEAST_FLOORS + " times that are flagged (TIMER_FLOOR)";
    return ns <= MOST_FLOOR_NS
        ? Check.ok("timer floor", text)
        : Check.warn(
            "timer floor",
            text,
            "boot with clocksource=tsc where the clock source is another, stop what keeps the cores"
                + " busy, or batch more work into a run (--batch)");
  }

  private static TelemetrySummary watch(Supplier<List<String>> nvml) {
    Telemetry telemetry = Telemetry.start(ROOT, nvml);
    try {
      Thread.sleep(WATCH_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return telemetry.stop();
  }
}
