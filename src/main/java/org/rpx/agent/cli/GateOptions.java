package org.rpx.agent.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import org.rpx.agent.gate.Figure;
import org.rpx.agent.gate.Gate;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import picocli.CommandLine.Option;

/** Limits on figures, and what becomes of the exit code. */
final class GateOptions {
  @Option(
      names = "--gate",
      paramLabel = "LIMIT",
      description =
          "End with 1 where a figure passes a limit, with 3 where its interval holds the limit: 'p99_ms<=33',"
              + " 'p50_ms<=+5%% vs base.json'; again for each.")
  private List<String> texts = new ArrayList<>();

  @Option(
      names = "--junit",
      paramLabel = "FILE.xml",
      description = "Write the gates as a JUnit report.")
  private Path junit;

  private final List<Gate> gates = new ArrayList<>();
  private final Map<Path, Map<String, Figure>> bases = new LinkedHashMap<>();

  /** Reads gates and bases, and finds out whether the report can be written, before long work. */
  void check() {
    for (String text : texts) {
      Gate gate = Gate.parse(text);
      gates.add(gate);
      if (gate.base() != null) bases.computeIfAbsent(gate.base(), GateOptions::base);
    }
    if (junit != null) junit().check();
  }

  private static Map<String, Figure> base(Path file) {
    try {
      return JsonReport.read(file).figures();
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " (--gate) cannot be read: " + Output.reason(e), e);
    }
  }

  EfficiencyReport judge(EfficiencyReport report) {
    if (gates.isEmpty()) return report;
    return report.withGates(judge(report.figures()));
  }

  List<Gate.Result> judge(Map<String, Figure> figures) {
    return gates.stream().map(g -> g.judge(figures, bases.get(g.base()))).toList();
  }

  /** Writes the JUnit report; the exit code that the verdicts come to. */
  int finish(String model, List<Gate.Result> results) {
    if (junit != null) {
      junit()
          .write(
              out -> {
                try {
                  Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
                  JunitXml.write(model, results, text);
                } catch (XMLStreamException e) {
                  throw new IOException(e.getMessage(), e);
                }
              });
    }
    if (results.stream().anyMatch(r -> r.verdict() == Gate.Verdict.FAILED))
      return ExitCode.GATE_FAILED;
    return results.stream().allMatch(r -> r.verdict() == Gate.Verdict.PASSED)
        ? ExitCode.OK
        : ExitCode.INVALID;
  }

  private WholeFile junit() {
    return new WholeFile(junit, "--junit");
  }
}
