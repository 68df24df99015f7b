package org.rpx.agent.tier2;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The GPUs that bounds can be reckoned for, in the order of their file. {@link #reference()} is the
 * built-in table; {@link #parse} reads a table of the user's own.
 */
public final class GpuTable {
  /** Precisions that a table has a column for, in that order. */
  public static final List<String> PRECISIONS = List.of("fp32", "tf32", "fp16", "bf16", "int8");

  private static final String RESOURCE = "gpu-specs.csv";
  private static final int MOST_SUGGESTIONS = 5;

  private final List<Row> rows;

  GpuTable(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  /**
   * One GPU.
   *
   * @param name as the vendor writes it
   * @param peaks highest dense rate by precision in 10<sup>12</sup> operations a second; only the
   *     known ones, keys of {@link GpuTable#PRECISIONS} in that order
   * @param memoryBwGbps memory bandwidth in 10<sup>9</sup> bytes a second
   * @param memoryGb memory in 10<sup>9</sup> bytes, or null where unknown
   * @param tdpW power limit in watts, or null where unknown
   * @param basis where the figures come from; empty where the table does not say
   */
  public record Row(
      String name,
      Map<String, Double> peaks,
      double memoryBwGbps,
      Double memoryGb,
      Double tdpW,
      String basis) {

    /** Copies {@code peaks}, keeping its order. */
    public Row {
      peaks = Collections.unmodifiableMap(new LinkedHashMap<>(peaks));
    }

    /**
     * This GPU at one precision; empty where its peak is unknown.
     *
     * @throws IllegalArgumentException if {@code precision} is not in {@link GpuTable#PRECISIONS}
     */
    public Optional<GpuSpec> spec(String precision) {
      if (!PRECISIONS.contains(precision)) {
        throw new IllegalArgumentException(
            "unknown precision '" + precision + "'; give one of " + String.join(", ", PRECISIONS));
      }
      return Optional.ofNullable(peaks.get(precision))
          .map(peak -> new GpuSpec(name, peak, memoryBwGbps, memoryGb, precision));
    }
  }

  /** The built-in table. */
  public static GpuTable reference() {
    try (InputStream in = GpuTable.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            RESOURCE + " is missing from the jar; build or download the jar again");
      }
      return parse(RESOURCE, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " cannot be read from the jar", e);
    }
  }

  /** The three GPUs that {@code rpx_benchmark} reports by default, in its order. */
  public static List<Row> defaults() {
    GpuTable table = reference();
    return List.of("A100-80GB", "RTX 4090", "Jetson Orin 64GB").stream().map(table::find).toList();
  }

  /**
   * Reads a table of the built-in one's columns: {@code
   * name,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis}. Lines that start with {@code #} are
   * comments; an empty field is unknown; only {@code name} and {@code mem_gbps} must be known.
   *
   * @param sourceName what error messages call the source, such as the file's path
   * @param reader of the text; not closed
   * @throws IllegalArgumentException if the text is no such table, naming the source, the line and
   *     the column
   * @throws UncheckedIOException if {@code reader} fails
   */
  public static GpuTable parse(String sourceName, Reader reader) {
    return new GpuTable(new GpuTableParser(sourceName).parse(reader));
  }

  /** All rows, in the order of the file. */
  public List<Row> rows() {
    return rows;
  }

  /** Whether {@link #find} would find it. */
  public boolean has(String name) {
    return rows.stream().anyMatch(row -> normalized(row.name()).equals(normalized(name)));
  }

  /**
   * The row of that name, without regard to case, spaces, hyphens and underscores.
   *
   * @throws IllegalArgumentException if there is none, naming those that come close
   */
  public Row find(String name) {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException(
          "the GPU's name must not be blank; rpx-agent gpus lists all");
    }
    String wanted = normalized(name);
    return rows.stream()
        .filter(row -> normalized(row.name()).equals(wanted))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(name, wanted)));
  }

  private String unknown(String name, String wanted) {
    // Where some name holds what was asked for, names that merely look alike are noise.
    boolean held = rows.stream().anyMatch(row -> distance(wanted, normalized(row.name())) == 0);
    int allowed = held ? 0 : Math.max(2, wanted.length() / 3);
    List<String> close =
        rows.stream()
            .map(Row::name)
            .filter(each -> distance(wanted, normalized(each)) <= allowed)
            .sorted(Comparator.comparingInt(each -> distance(wanted, normalized(each))))
            .limit(MOST_SUGGESTIONS)
            .toList();
    String hint = close.isEmpty() ? "" : "did you mean " + String.join(", ", close) + "? ";
    return "unknown GPU '" + name + "'; " + hint + "rpx-agent gpus lists all";
  }

  /** Edits between two names; 0 where one holds the other, so that "orin" finds every Orin. */
  private static int distance(String a, String b) {
    if (a.contains(b) || b.contains(a)) {
      return 0;
    }
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }

  /** The form in which names are compared. */
  static String normalized(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[\\s_-]", "");
  }
}
