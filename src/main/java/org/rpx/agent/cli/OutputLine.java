package org.rpx.agent.cli;

import org.rpx.agent.arrays.ArraySummary;
import org.rpx.agent.arrays.NamedArray;

/** An output as a person sees it. */
final class OutputLine {
  private OutputLine() {}

  /** "out0 logits float32 [1, 1000] min -1.5 mean 0.25 max 3 NaN 0", in columns. */
  static String of(NamedArray array, String path) {
    String name = path.replaceAll("[\\p{IsControl}\\u2028\\u2029]", "?");
    String line =
        String.format("%-6s %-12s %-8s %-20s", array.name(), name, array.dtype(), array.shape());
    ArraySummary summary = ArraySummary.of(array);
    if (summary == null) return line.strip();
    if (summary.mean() != null)
      line +=
          String.format(
              " min %-12s mean %-12s max %-12s",
              said(summary.least()), said(summary.mean()), said(summary.most()));
    return line + " NaN " + summary.nans();
  }

  /** Six digits of a real number, all of an integer. */
  private static String said(Number number) {
    if (number instanceof Long || !Double.isFinite(number.doubleValue())) return number.toString();
    return String.format("%.6g", number.doubleValue());
  }
}
