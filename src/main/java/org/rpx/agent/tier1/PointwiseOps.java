package org.rpx.agent.tier1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.rpx.agent.trace.OpCall;

/** Which ops make each element of their result from the same element of an input. */
final class PointwiseOps {
  /** The sections of pointwise-ops.txt, which says what each is. */
  enum Kind {
    ARITHMETIC,
    COPIES,
    NORMALISATIONS
  }

  private static final Map<String, Kind> KINDS = read();

  private PointwiseOps() {}

  /** The kind of a call's op; null where it is none of them. */
  static Kind kind(OpCall call) {
    String name = FlopRegistry.plain(call.name());
    Kind kind = KINDS.get(name);
    return kind != null ? kind : KINDS.get(name + "." + call.overload());
  }

  /** All entries: "aten::add", "aten::max.other". */
  static Map<String, Kind> all() {
    return KINDS;
  }

  private static Map<String, Kind> read() {
    Map<String, Kind> kinds = new HashMap<>();
    Kind kind = null;
    try (InputStream in = PointwiseOps.class.getResourceAsStream("pointwise-ops.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.isBlank() || line.startsWith("#")) continue;
        if (line.startsWith("[")) {
          kind = Kind.valueOf(line.substring(1, line.indexOf(']')).toUpperCase(Locale.ROOT));
          continue;
        }
        for (String name : line.trim().split(" +")) kinds.put(FlopRegistry.qualified(name), kind);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(kinds);
  }
}
