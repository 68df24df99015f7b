package org.rpx.agent.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.NumberOutput;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** How JSON is laid out here, and how a value of any kind is written. */
final class JsonStyle {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  /** For {@link #perLine}: a whole array on the line on which it starts. */
  static final int ALL = Integer.MAX_VALUE;

  private JsonStyle() {}

  /** A generator of indented JSON; closing it leaves {@code out} open. */
  static JsonGenerator generator(Writer out) throws IOException {
    JsonGenerator json = FACTORY.createGenerator(out);
    json.setPrettyPrinter(new Layout());
    return json;
  }

  /** Sets how many values stand on one line of the arrays that follow. */
  static void perLine(JsonGenerator json, int values) {
    ((Layout) json.getPrettyPrinter()).perLine = values;
  }

  /** Sets whether the objects that follow stand on one line each. */
  static void flat(JsonGenerator json, boolean flat) {
    ((Layout) json.getPrettyPrinter()).flat = flat;
  }

  /** Writes one entry of any kind that {@link #value} takes. */
  static void entry(JsonGenerator json, String key, Object value) throws IOException {
    json.writeFieldName(key);
    value(json, value);
  }

  /** Writes maps, lists, texts, numbers and booleans; what JSON has no number for is null. */
  static void value(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entry(json, String.valueOf(entry.getKey()), entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        value(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Double || value instanceof Float) {
      String text = plain(((Number) value).doubleValue());
      if (text == null) {
        json.writeNull();
      } else {
        json.writeNumber(text);
      }
    } else if (value instanceof BigDecimal || value instanceof BigInteger) {
      json.writeNumber(value.toString());
    } else if (value instanceof Number whole) {
      json.writeNumber(whole.longValue());
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }

  /**
   * The fewest digits that read back as the same double, without an exponent in the range where
   * Python writes none, so that figures look as {@code rpx_benchmark} writes them; null for NaN and
   * the infinities.
   */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      return null;
    }
    // Not Double.toString, which before Java 19 writes more digits than it has to.
    String shortest = NumberOutput.toString(value, true);
    double size = Math.abs(value);
    if (shortest.indexOf('E') < 0 || !(size >= 1e-4 && size < 1e16)) {
      return shortest;
    }
    String text = new BigDecimal(shortest).stripTrailingZeros().toPlainString();
    return text.indexOf('.') < 0 ? text + ".0" : text;
  }

  /** Nanoseconds as milliseconds, exactly. */
  static String milliseconds(long ns) {
    return BigDecimal.valueOf(ns, 6).stripTrailingZeros().toPlainString();
  }

  /** Two spaces a level and the same line ends everywhere; arrays break every so many values. */
  private static final class Layout extends DefaultPrettyPrinter {
    private static final long serialVersionUID = 1L;
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    private int perLine = 1;
    private int inLine;
    private boolean flat;

    Layout() {
      super(
          Separators.createDefaultInstance()
              .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
              .withObjectEmptySeparator("")
              .withArrayEmptySeparator(""));
      indentObjectsWith(INDENTER);
      indentArraysWith(INDENTER);
    }

    @Override
    public void beforeObjectEntries(JsonGenerator json) throws IOException {
      if (!flat) {
        super.beforeObjectEntries(json);
      }
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
      if (flat) {
        json.writeRaw(", ");
      } else {
        super.writeObjectEntrySeparator(json);
      }
    }

    @Override
    public void writeEndObject(JsonGenerator json, int entries) throws IOException {
      if (flat) {
        _nesting--;
        json.writeRaw('}');
      } else {
        super.writeEndObject(json, entries);
      }
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) throws IOException {
      inLine = 0;
      if (perLine != ALL) {
        super.beforeArrayValues(json);
      }
    }

    @Override
    public void writeEndArray(JsonGenerator json, int values) throws IOException {
      if (perLine == ALL) {
        _nesting--;
        json.writeRaw(']');
      } else {
        super.writeEndArray(json, values);
      }
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
      if (perLine > 1 && ++inLine < perLine) {
        json.writeRaw(", ");
      } else {
        inLine = 0;
        super.writeArrayValueSeparator(json);
      }
    }
  }
}
