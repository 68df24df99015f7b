package org.rpx.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.report.TableReport;

/**
 * Builds a made-up report and writes it to nowhere. While LibTorch loads the main thread has
 * nothing to do; what a first report takes (counting, statistics, number formats, tables) is a
 * tenth of a short command.
 */
final class Rehearsal {
  private Rehearsal() {}

  static void run(Plan plan) {
    // Of one core LibTorch has all.
    if (Runtime.getRuntime().availableProcessors() == 1) return;
    try {
      new TableReport(Terminal.colour(), Terminal.unicode())
          .write(Rpx.rehearsal(plan), Writer.nullWriter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
