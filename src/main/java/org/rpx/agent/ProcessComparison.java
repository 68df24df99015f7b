package org.rpx.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.host.Telemetry;
import org.rpx.agent.measure.PairedRuns;
import org.rpx.agent.measure.PipedWorkload;
import org.rpx.agent.measure.ThreadChoice;
import org.rpx.agent.measure.WarmUp;
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.ComparisonReport.Compared;
import org.rpx.agent.report.ComparisonReport.Row;
import org.rpx.agent.report.Warning;

/**
 * Two processes measured in turns, run by run: for what one process cannot hold twice, as LibTorch.
 * Add pairs of fresh processes one after another: how processes differ shows between the pairs. The
 * other end of each is {@link #serve}. For one thread at a time.
 */
public final class ProcessComparison {
  /** Among the facts of a side: its process's id. */
  private static final String PROCESS = "process";

  private final Plan first;
  private final Plan second;
  private final Watch watch;
  private final BooleanSupplier cancelled;
  private final List<Turns.Outcome> outcomes = new ArrayList<>();
  private final List<String> unlike;
  private final Turns turns;
  // Of the last pair.
  private List<String> threads;
  private List<String> libraries;

  /**
   * Nothing runs yet.
   *
   * @param first what was asked of the first side, whose limits count: threads, duration,
   *     iterations
   * @param second the same of the second; where it differs, the report says so
   * @param cancelled asked between two turns
   */
  public ProcessComparison(Plan first, Plan second, Watch watch, BooleanSupplier cancelled) {
    this.first = first;
    this.second = second;
    this.watch = watch;
    this.cancelled = cancelled;
    this.unlike = LiveComparison.unlike(first, second);
    this.turns = new Turns(first);
  }

  /**
   * Settles the threads of each side, warms both up, and measures them in turns.
   *
   * @throws CancelledException where it was cancelled
   * @throws java.io.UncheckedIOException where a process has ended
   */
  public void add(PipedWorkload one, PipedWorkload other) {
    watch.phase("threads");
    ThreadChoice.Setup setup = settle(one, first);
    // Of two choices one might differ by chance. A BLAS with a pool of its own is another matter.
    boolean alike =
        hasBlasPool(one) == hasBlasPool(other) && Objects.equals(first.threads(), second.threads());
    ThreadChoice.Setup its = alike ? setup : settle(other, second);
    other.threads(its.operators(), its.blas());
    watch.phase("warm-up");
    WarmUp.run(first.warmup(), one, cancelled);
    WarmUp.run(first.warmup(), other, cancelled);
    watch.phase("compare");
    one.begin();
    other.begin();
    List<Long> ours = List.of(id(one), id(other));
    Turns.Outcome outcome =
        turns.run(
            one,
            other,
            Math.max(setup.widest(), its.widest()),
            () -> Telemetry.start(Path.of("/"), null, ours),
            cancelled);
    if (cancelled.getAsBoolean()) throw new CancelledException();
    outcomes.add(outcome);
    threads = List.of(text(setup), text(its));
    libraries = List.of(library(one), library(other));
  }

  private static ThreadChoice.Setup settle(PipedWorkload side, Plan plan) {
    return LiveComparison.threads(side, plan, hasBlasPool(side));
  }

  private static boolean hasBlasPool(PipedWorkload side) {
    return side.facts().containsKey("blas_threads");
  }

  private static long id(PipedWorkload side) {
    return Long.parseLong(side.facts().get(PROCESS));
  }

  private static String text(ThreadChoice.Setup setup) {
    return setup.operators() + "x" + setup.blas();
  }

  private static String library(PipedWorkload side) {
    return side.facts().get("libtorch_version") + " in " + side.facts().get("libtorch_path");
  }

  /**
   * What the pairs say, once there is one.
   *
   * @param margin what counts as the same, as a share of the median: 0.01
   */
  public ComparisonReport report(String firstName, String secondName, double margin) {
    List<PairedRuns> pairs = outcomes.stream().map(Turns.Outcome::pairs).toList();
    boolean one = pairs.size() == 1;
    List<String> differs = new ArrayList<>(unlike);
    List<String> notes = new ArrayList<>(turns.notes());
    say("LibTorch", libraries, differs, notes);
    say("threads (operators x BLAS)", threads, differs, notes);
    notes.add(
        one
            ? "two processes, one for each side: the interval covers this pair of processes, not"
                + " how processes of one program differ; --repeats 5 tells that"
            : "two processes, one for each side, "
                + pairs.size()
                + " times: the interval covers how pairs of processes differ");
    List<Row> rows =
        one
            ? turns.rows(pairs.get(0), margin, " of two processes")
            : turns.rowsOfProcesses(pairs, margin);
    List<List<Warning>> all =
        outcomes.stream().map(outcome -> turns.warnings(outcome, firstName, secondName)).toList();
    List<Warning> warnings =
        one ? all.get(0) : Warning.merged(List.of(), all, "pairs of processes");
    return new ComparisonReport(
        "processes",
        firstName,
        List.of(new Compared(secondName, rows, differs, notes, warnings)),
        List.of());
  }

  private static void say(
      String what, List<String> sides, List<String> differs, List<String> notes) {
    if (sides.get(0).equals(sides.get(1))) notes.add(what + " " + sides.get(0));
    else differs.add(what + " " + String.join(" and ", sides));
  }

  /**
   * Loads a model and runs it as another process tells, until its requests end: one side of a
   * comparison.
   *
   * @param requests and {@code answers}: the pipes to the {@link PipedWorkload}; neither is closed
   * @throws IOException where the other process is gone
   * @throws IllegalArgumentException where the plan does not fit the model
   * @throws org.rpx.agent.engine.NativeException where the file is no model, or LibTorch is missing
   */
  public static void serve(
      ModelSource source, Plan plan, InputStream requests, OutputStream answers, Watch watch)
      throws IOException {
    if (plan.cpus() != null) Pinning.pin(plan.cpus(), Path.of("/"));
    try (LoadedModel model = LoadedModel.of(source, plan, watch)) {
      watch.cancellable(model.session()::cancel);
      Interludes.check(plan, model.device());
      Turns turns = new Turns(plan);
      model.firstRun();
      model.tryOtherInputs();
      Map<String, String> facts = new LinkedHashMap<>(LibTorch.facts());
      facts.put(PROCESS, String.valueOf(ProcessHandle.current().pid()));
      facts.replaceAll((key, value) -> value.substring(0, Math.min(1000, value.length())));
      PipedWorkload.serve(
          new SessionWorkload(model, false),
          () -> turns.begin(model.session()),
          facts,
          requests,
          answers);
    }
  }
}
