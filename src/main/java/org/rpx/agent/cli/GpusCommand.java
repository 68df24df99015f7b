package org.rpx.agent.cli;

import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.rpx.agent.tier2.GpuTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The reference table. */
@Command(
    name = "gpus",
    mixinStandardHelpOptions = true,
    description =
        "List the reference GPUs: dense peaks in TFLOP/s (int8: TOP/s), memory GB/s and GB, watts, and the basis of each row.")
final class GpusCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of(
          "name", "fp32", "tf32", "fp16", "bf16", "int8", "mem_gbps", "mem_gb", "tdp_w", "basis");

  @Option(
      names = "--format",
      paramLabel = "FORM",
      description = "table (default) or csv, which --gpu-spec reads.")
  private Form form = Form.table;

  enum Form {
    table,
    csv
  }

  @Override
  public Integer call() throws Exception {
    Writer out = Terminal.out(form == Form.table);
    write(out, COLUMNS);
    for (GpuTable.Row row : GpuTable.reference().rows()) {
      List<String> cells = new ArrayList<>(List.of(row.name()));
      for (String precision : GpuTable.PRECISIONS) cells.add(number(row.peaks().get(precision)));
      cells.add(number(row.memoryBwGbps()));
      cells.add(number(row.memoryGb()));
      cells.add(number(row.tdpW()));
      cells.add(row.basis());
      write(out, cells);
    }
    out.flush();
    return ExitCode.OK;
  }

  private void write(Writer out, List<String> cells) throws java.io.IOException {
    if (form == Form.csv) {
      out.write(String.join(",", cells) + "\n");
      return;
    }
    StringBuilder line = new StringBuilder(String.format("%-22s", cells.get(0)));
    for (int i = 1; i < 9; i++)
      line.append(String.format("%9s", cells.get(i).isEmpty() ? "-" : cells.get(i)));
    out.write(line + "  " + cells.get(9) + "\n");
  }

  private static String number(Double value) {
    return value == null
        ? ""
        : new BigDecimal(value.toString()).stripTrailingZeros().toPlainString();
  }
}
