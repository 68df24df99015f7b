package org.rpx.agent.tier2;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Text of a GPU table -> rows. Lines are split by hand: no field holds a comma or a quote, and a
 * line with a quote is refused. Serves one call of {@link #parse}.
 */
final class GpuTableParser {
  private static final List<String> COLUMNS = columns();

  private final String sourceName;
  private final Map<String, Integer> lineOfName = new HashMap<>();
  private List<String> header;
  private int lineNumber;

  GpuTableParser(String sourceName) {
    this.sourceName = sourceName;
  }

  List<GpuTable.Row> parse(Reader reader) {
    List<GpuTable.Row> rows = new ArrayList<>();
    try {
      BufferedReader lines = new BufferedReader(reader);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        lineNumber++;
        // Spreadsheets put a byte order mark before the first character.
        String text = (lineNumber == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line);
        if (text.isBlank() || text.startsWith("#")) {
          continue;
        }
        List<String> fields = fields(text);
        if (header == null) {
          header = checkedHeader(fields);
        } else {
          rows.add(row(fields));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(sourceName + " cannot be read after line " + lineNumber, e);
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(
          sourceName
              + ": no rows; give a header line ("
              + String.join(",", COLUMNS)
              + ") and at least one GPU below it");
    }
    return rows;
  }

  private List<String> fields(String line) {
    if (line.indexOf('"') >= 0) {
      throw wrong("a quote; write the values without quotes and without commas inside them");
    }
    List<String> fields = new ArrayList<>();
    for (String field : line.split(",", -1)) {
      fields.add(field.strip());
    }
    return fields;
  }

  private List<String> checkedHeader(List<String> fields) {
    for (String column : COLUMNS) {
      int first = fields.indexOf(column);
      if (first < 0) {
        throw wrong("missing column " + column + "; the header must name " + COLUMNS);
      }
      if (first != fields.lastIndexOf(column)) {
        throw wrong("column " + column + " is named twice; name each column once");
      }
    }
    for (String field : fields) {
      if (!COLUMNS.contains(field)) {
        throw wrong("unknown column '" + field + "'; the columns are " + COLUMNS);
      }
    }
    return fields;
  }

  private GpuTable.Row row(List<String> fields) {
    if (fields.size() < header.size()) {
      throw wrong(
          "missing column "
              + header.get(fields.size())
              + "; leave an unknown field empty, but keep its comma");
    }
    if (fields.size() > header.size()) {
      throw wrong(
          fields.size() + " fields for " + header.size() + " columns; no value may hold a comma");
    }
    String name = field(fields, "name");
    if (name.isEmpty()) {
      throw wrong("column name: empty; give the GPU's name");
    }
    Integer earlier = lineOfName.putIfAbsent(GpuTable.normalized(name), lineNumber);
    if (earlier != null) {
      throw wrong(
          "column name: duplicate name '"
              + name
              + "', first on line "
              + earlier
              + " (case, spaces, hyphens and underscores do not count); keep one of them");
    }
    Map<String, Double> peaks = new LinkedHashMap<>();
    for (String precision : GpuTable.PRECISIONS) {
      Double peak = number(fields, precision);
      if (peak != null) {
        peaks.put(precision, peak);
      }
    }
    Double bandwidth = number(fields, "mem_gbps");
    if (bandwidth == null) {
      throw wrong("column mem_gbps: empty; without the bandwidth in GB/s there is no bound");
    }
    return new GpuTable.Row(
        name,
        peaks,
        bandwidth,
        number(fields, "mem_gb"),
        number(fields, "tdp_w"),
        field(fields, "basis"));
  }

  private String field(List<String> fields, String column) {
    return fields.get(header.indexOf(column));
  }

  private Double number(List<String> fields, String column) {
    String text = field(fields, column);
    if (text.isEmpty()) {
      return null;
    }
    double value;
    try {
      // Unlike Double.parseDouble this takes no NaN, no hexadecimal and no suffix such as 40d.
      value = new BigDecimal(text).doubleValue();
    } catch (NumberFormatException e) {
      throw wrong("column " + column + ": '" + text + "' is not a number, such as 19.5");
    }
    if (!(value > 0 && Double.isFinite(value))) {
      throw wrong(
          "column "
              + column
              + ": '"
              + text
              + "' is not a finite number above 0; leave the field empty if it is unknown");
    }
    return value;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(sourceName + ", line " + lineNumber + ": " + what);
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>();
    columns.add("name");
    columns.addAll(GpuTable.PRECISIONS);
    columns.addAll(List.of("mem_gbps", "mem_gb", "tdp_w", "basis"));
    return List.copyOf(columns);
  }
}
