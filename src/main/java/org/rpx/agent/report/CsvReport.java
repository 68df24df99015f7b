package org.rpx.agent.report;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The table row as CSV (RFC 4180): a line of keys and a line of values, ended by CR LF. Keys are
 * those of {@link EfficiencyMetadata#toTableRow}; those of the card read {@code system_card.os} and
 * so on. Unknown is empty.
 */
public final class CsvReport {
  private CsvReport() {}

  /**
   * Writes both lines.
   *
   * @param out flushed, not closed
   * @throws IOException if {@code out} fails
   */
  public static void write(EfficiencyReport report, Writer out) throws IOException {
    Map<String, Object> flat = new LinkedHashMap<>();
    flatten("", report.metadata().toTableRow(), flat);
    line(flat.keySet(), out);
    line(flat.values(), out);
    out.flush();
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, Object> into) {
    map.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner) {
            flatten(prefix + key + ".", inner, into);
          } else {
            into.put(prefix + key, value);
          }
        });
  }

  private static void line(Iterable<?> fields, Writer out) throws IOException {
    String comma = "";
    for (Object field : fields) {
      out.write(comma);
      out.write(quoted(text(field)));
      comma = ",";
    }
    out.write("\r\n");
  }

  private static String text(Object value) {
    Object text = value instanceof Double number ? JsonStyle.plain(number) : value;
    return text == null ? "" : text.toString();
  }

  private static String quoted(String field) {
    boolean asItIs = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return asItIs ? field : '"' + field.replace("\"", "\"\"") + '"';
  }
}
