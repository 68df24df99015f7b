package org.rpx.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.measure.Comparison;
import org.rpx.agent.measure.Difference;
import org.rpx.agent.measure.Interval;
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which of two is faster: measured in turns, or from saved reports. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Compare models run by run in one process, or reports that --json wrote, with the first.")
final class CompareCommand implements Callable<Integer> {
  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "OTHER",
      description = "The second model; or further reports, if the first is one.")
  private List<String> others = new ArrayList<>();

  @Mixin private ForwardOptions forward;
  @Mixin private TimingOptions timing;
  @Mixin private Output output;
  @Mixin private GateOptions gates;
  @Spec private CommandSpec spec;

  @Option(
      names = "--base",
      paramLabel = "OPTION=VALUE",
      description =
          "An option of the second side alone: threads=4, precision=bf16, batch=8, device=cuda, or"
              + " libtorch=DIR (default: the agent's own), then each side in a process of its own;"
              + " again for each. Where one model is named, it is compared with itself so set.")
  private List<String> base = new ArrayList<>();

  @Option(
      names = "--margin",
      paramLabel = "SHARE",
      converter = Percent.class,
      description = "What counts as the same. Default: 1%%.")
  private double margin = Comparison.MARGIN;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description =
          "Measure in N pairs of fresh processes, one process for each side, and report how pairs"
              + " differ.")
  private int repeats = 1;

  @Option(names = "--force", description = "Compare reports of different machines too.")
  private boolean force;

  // Of ForwardOptions, and of TimingOptions what a side has to do itself.
  private static final List<String> SERVED =
      List.of(
          "--input",
          "--inputs",
          "--input-file",
          "--seed",
          "--device",
          "--precision",
          "--batch",
          "--threads",
          "--allow-native-code",
          "--library",
          "--graph",
          "--cpus",
          "--rate",
          "--cold-cache");

  // What reports are compared with.
  private static final List<String> OF_REPORTS =
      List.of("--margin", "--force", "--gate", "--junit", "--json", "--format", "--quiet");

  // Of the last report.
  private Map<String, Figure> figures = Map.of();

  @Override
  public Integer call() throws Exception {
    output.check();
    gates.check();
    if (repeats < 1) throw new IllegalArgumentException("--repeats has to be 1 or more");
    ComparisonReport report = isReport(forward.text()) ? saved() : live();
    report = report.withGates(gates.judge(figures(report)));
    output.write(report);
    return gates.finish(report.first(), report.gates());
  }

  private static boolean isReport(String path) {
    return path.endsWith(".json") && Files.isRegularFile(Path.of(path));
  }

  private ComparisonReport live() {
    if (others.size() > 1 || (others.isEmpty() && base.isEmpty()))
      throw new IllegalArgumentException(
          "compare takes two models, or one and --base OPTION=VALUE; or reports that --json wrote");
    Plan plan = timing.on(forward.plan());
    Plan second = plan;
    Map<String, String> own = new LinkedHashMap<>();
    for (String option : base) {
      second = with(second, option);
      own.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
    }
    ModelSource other = others.isEmpty() ? forward.source() : ModelSource.parse(others.get(0));
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      if (repeats > 1 || own.containsKey("libtorch"))
        return new TwoProcesses(
                forward.text(),
                others.isEmpty() ? forward.text() : others.get(0),
                own,
                TwoProcesses.forwarded(spec.commandLine().getParseResult(), SERVED))
            .run(plan, second, margin, repeats, progress);
      return Rpx.compare(forward.source(), plan, other, second, margin, progress);
    } finally {
      Interrupt.finished();
    }
  }

  private static Plan with(Plan plan, String option) {
    int equals = option.indexOf('=');
    String name = equals < 0 ? option : option.substring(0, equals);
    String value = equals < 0 ? "" : option.substring(equals + 1);
    try {
      return switch (name) {
        case "threads" -> plan.withThreads(Integer.valueOf(value));
        case "batch" -> plan.withBatch(Integer.valueOf(value));
        case "precision" -> plan.withPrecision(value);
        case "device" -> plan.withDevice(value);
        case "libtorch" -> {
          // Said before a process is started for it.
          if (!value.equals("default") && !Files.isDirectory(Path.of(value, "lib")))
            throw new IllegalArgumentException(
                "no LibTorch in "
                    + value
                    + " (--base libtorch): name the folder of an installed torch package, which"
                    + " holds lib/ and include/, or default");
          yield plan;
        }
        default ->
            throw new IllegalArgumentException(
                "\""
                    + option
                    + "\" (--base): there are threads, batch, precision, device and libtorch");
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + option + "\" (--base) needs a whole number", e);
    }
  }

  private ComparisonReport saved() {
    if (others.isEmpty())
      throw new IllegalArgumentException(
          "compare takes two reports or more: name the one to compare " + forward.text() + " with");
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions())
      if (!OF_REPORTS.contains(option.longestName()))
        throw new IllegalArgumentException(
            option.longestName() + " is for models; reports say how they were made");
    EfficiencyReport first = read(forward.text());
    List<ComparisonReport.Compared> compared = new ArrayList<>();
    for (String other : others) {
      EfficiencyReport second = read(other);
      compared.add(Rpx.compareSaved(forward.text(), first, other, second, margin, force));
      figures = second.figures();
    }
    return new ComparisonReport("saved", forward.text(), compared, List.of());
  }

  private static EfficiencyReport read(String file) {
    try {
      return JsonReport.read(Path.of(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + Output.reason(e), e);
    }
  }

  /** Of the last of the others: its own figures, and their changes in percent. */
  private Map<String, Figure> figures(ComparisonReport report) {
    Map<String, Figure> all = new LinkedHashMap<>(figures);
    List<ComparisonReport.Compared> compared = report.others();
    for (ComparisonReport.Row row : compared.get(compared.size() - 1).rows()) {
      Difference d = row.difference();
      Interval its = row.interval();
      all.putIfAbsent(
          row.figure(),
          its == null
              ? Figure.unsure(row.second(), "too few runs for an interval; run longer")
              : Figure.estimate(row.second(), its.low(), its.high()));
      all.put(
          row.figure().replace("_ms", "_change_percent"),
          d.interval() == null
              ? Figure.unsure(d.share() == null ? null : 100 * d.share(), d.reason())
              : Figure.estimate(
                  100 * d.share(), 100 * d.interval().low(), 100 * d.interval().high()));
    }
    return all;
  }
}
