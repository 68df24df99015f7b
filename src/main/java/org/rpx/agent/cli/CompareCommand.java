package org.rpx.agent.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.rpx.agent.report.ComparisonReport;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      names = "--duration",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Of the turns of two models. Default: 10s.")
  private Duration duration;

  @Option(names = "--iterations", paramLabel = "N", description = "Pairs at most.")
  private Integer iterations;

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      converter = CpuList.class,
      description = "Pin the process to these CPUs: 0,2 or 0-3.")
  private List<Integer> cpus;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "With --base libtorch=DIR: in N pairs of fresh processes.")
  private int repeats = 1;

  @Option(names = "--force", description = "Compare reports of different machines too.")
  private boolean force;

  // Of ForwardOptions, and --cpus.
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
          "--cpus");

  @Override
  public Integer call() throws Exception {
    output.check();
    gates.check();
    boolean apart = base.stream().anyMatch(b -> b.startsWith("libtorch="));
    if (repeats < 1) throw new IllegalArgumentException("--repeats has to be 1 or more");
    if (repeats > 1 && !apart)
      throw new IllegalArgumentException(
          "--repeats is of pairs of processes, which there are with --base libtorch=DIR only");
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
    Plan plan = forward.plan().withDuration(duration).withIterations(iterations).withCpus(cpus);
    Plan second = plan;
    Map<String, String> own = new LinkedHashMap<>();
    for (String option : base) {
      second = with(second, option);
      own.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
    }
    ModelSource other = others.isEmpty() ? forward.source() : ModelSource.parse(others.get(0));
    try (Progress progress = new Progress(Terminal.stderr() && !output.quiet)) {
      if (own.containsKey("libtorch"))
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
    if (!base.isEmpty())
      throw new IllegalArgumentException("--base is for models; reports say how they were made");
    EfficiencyReport first = read(forward.text());
    List<ComparisonReport.Compared> compared = new ArrayList<>();
    for (String other : others)
      compared.add(Rpx.compareSaved(forward.text(), first, other, read(other), margin, force));
    return new ComparisonReport("saved", forward.text(), compared, List.of());
  }

  private static EfficiencyReport read(String file) {
    try {
      return JsonReport.read(Path.of(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + Output.reason(e), e);
    }
  }

  /** Changes in percent, of the last of the others. */
  private static Map<String, Figure> figures(ComparisonReport report) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    List<ComparisonReport.Compared> others = report.others();
    for (ComparisonReport.Row row : others.get(others.size() - 1).rows()) {
      Difference d = row.difference();
      String key = row.figure().replace("_ms", "_change_percent");
      figures.put(
          key,
          d.interval() == null
              ? Figure.unsure(d.share() == null ? null : 100 * d.share(), d.reason())
              : Figure.estimate(
                  100 * d.share(), 100 * d.interval().low(), 100 * d.interval().high()));
    }
    return figures;
  }
}
