package org.rpx.agent.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.rpx.agent.host.SystemCard;

/** JSON for programs that read what {@code rpx_benchmark} writes. */
public final class RpxJson {
  private RpxJson() {}

  /** The table row alone, as {@link EfficiencyMetadata#toTableRow} has it, indented. */
  public static String rowJson(EfficiencyReport report) {
    return text(report.metadata().toTableRow());
  }

  /**
   * The {@code compute_cost} block alone, as {@link EfficiencyMetadata#toComputeCost} has it,
   * indented.
   */
  public static String computeCostJson(EfficiencyReport report) {
    return text(report.metadata().toComputeCost());
  }

  /** A system card alone, RPX's keys first, indented. */
  public static String cardJson(SystemCard card) {
    return text(card.toFullMap());
  }

  /** The fields of an MLPerf system description, in their order, indented. */
  public static String mlperfJson(Map<String, String> fields) {
    return text(fields);
  }

  private static String text(Map<String, ?> map) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JsonStyle.generator(out)) {
      JsonStyle.value(json, map);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return out.append('\n').toString();
  }
}
