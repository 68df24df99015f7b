package org.rpx.agent.cli;

import java.io.Writer;
import java.util.concurrent.Callable;
import org.rpx.agent.Rpx;
import org.rpx.agent.host.Check.Mark;
import org.rpx.agent.report.ChecksReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What this machine can measure. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Say what this machine can measure, and what spoils figures on it.",
    footer = "%nExit code 3 where something makes figures invalid.")
final class DoctorCommand implements Callable<Integer> {
  @Option(names = "--format", paramLabel = "FORM", description = "table (default) or json.")
  private Form form = Form.table;

  enum Form {
    table,
    json
  }

  @Override
  public Integer call() throws Exception {
    ChecksReport report = new ChecksReport(Rpx.doctor());
    Writer out = Terminal.out(form == Form.table);
    if (form == Form.json) report.json(out);
    else report.table(Terminal.colour(), Terminal.unicode(), out);
    out.flush();
    return report.worst() == Mark.FAIL ? ExitCode.INVALID : ExitCode.OK;
  }
}
