package org.rpx.agent.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks JSON that may come from anywhere, value by value, and keeps what it holds within bounds.
 * Each reader stands on a value's first token and leaves the cursor on its last; whatever a value
 * may not be is an {@link IllegalArgumentException} that names the source and the key.
 */
final class JsonCursor implements Closeable {
  /** More than any count, byte or millisecond: what lies above is no measurement. */
  private static final double LARGEST = 0x1p63;

  /** 104 days of nanoseconds; {@link org.rpx.agent.measure.Statistics} takes no more. */
  private static final double LARGEST_MS = 0x1p53 / 1e6;

  private static final double NS_PER_MS = 1e6;
  private static final int MOST_SAMPLES = 10_000_000;
  private static final int MOST_KEPT_CHARS = 64 << 20;
  private static final int CHARS_PER_VALUE = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxNameLength(1000)
                  .maxDocumentLength(1L << 30)
                  .build())
          .build();

  private final String source;
  private final JsonParser parser;
  private long kept;

  /** What to do with one entry of an object, or one element of an array (key null). */
  interface Visitor {
    void visit(String key) throws IOException;
  }

  JsonCursor(String source, InputStream in) throws IOException {
    this.source = source;
    this.parser = FACTORY.createParser(in);
  }

  /** What error messages call the input. */
  String source() {
    return source;
  }

  JsonToken next() throws IOException {
    return parser.nextToken();
  }

  boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  boolean isObject() {
    return parser.currentToken() == JsonToken.START_OBJECT;
  }

  /** Whether the text {@code expected} stands here. */
  boolean is(String expected) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING && parser.getText().equals(expected);
  }

  void skip() throws IOException {
    parser.skipChildren();
  }

  void object(Visitor visitor) throws IOException {
    expect(JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      visitor.visit(key);
    }
  }

  void array(Visitor visitor) throws IOException {
    expect(JsonToken.START_ARRAY, "an array");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      keep(0);
      visitor.visit(null);
    }
  }

  boolean truth() throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_TRUE) {
      expect(JsonToken.VALUE_FALSE, "true or false");
    }
    return parser.getBooleanValue();
  }

  /** A text, or null. */
  String text() throws IOException {
    if (isNull()) {
      return null;
    }
    expect(JsonToken.VALUE_STRING, "a text");
    keep(parser.getTextLength());
    return parser.getText();
  }

  /** A finite number of 0 or more, or null. */
  Double number() throws IOException {
    if (isNull()) {
      return null;
    }
    if (!parser.currentToken().isNumeric()) {
      throw wrong("must be a number or null");
    }
    double value = parser.getDoubleValue();
    if (!(value >= 0 && value < LARGEST)) {
      throw wrong("is " + parser.getText() + ", must be a number of 0 or more and no absurd one");
    }
    return value + 0.0; // -0.0 is 0
  }

  /** A whole number of 0 or more, or null. */
  Long count() throws IOException {
    Double value = number();
    if (value == null) {
      return null;
    }
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return parser.getLongValue();
    }
    if (value != Math.rint(value)) {
      throw wrong("is " + parser.getText() + ", must be a whole number");
    }
    return value.longValue();
  }

  /** A whole number from {@code least} up that fits an int, or null. */
  Integer smallCount(int least) throws IOException {
    Long value = count();
    if (value != null && (value < least || value > Integer.MAX_VALUE)) {
      throw wrong("is " + value + ", must be " + least + " to " + Integer.MAX_VALUE);
    }
    return value == null ? null : value.intValue();
  }

  /** An array of milliseconds, as nanoseconds. */
  long[] nanoseconds() throws IOException {
    expect(JsonToken.START_ARRAY, "an array");
    long[] ns = new long[1024];
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Double ms = number();
      if (ms == null || ms > LARGEST_MS) {
        throw wrong("is " + parser.getText() + ", must be milliseconds, at most 104 days");
      }
      if (count == MOST_SAMPLES) {
        throw wrong("goes beyond " + MOST_SAMPLES + " samples; profile with fewer");
      }
      if (count == ns.length) {
        ns = Arrays.copyOf(ns, Math.min(MOST_SAMPLES, 2 * count));
      }
      ns[count++] = Math.round(ms * NS_PER_MS);
    }
    return Arrays.copyOf(ns, count);
  }

  /** An object whose values are counts, its order kept; an entry may not be null. */
  Map<String, Long> counts() throws IOException {
    Map<String, Long> counts = new LinkedHashMap<>();
    object(
        key -> {
          keep(key.length());
          counts.put(key, required(count()));
        });
    return counts;
  }

  /** An object whose values are numbers or null, its order kept. */
  Map<String, Double> numbers() throws IOException {
    Map<String, Double> numbers = new LinkedHashMap<>();
    object(
        key -> {
          keep(key.length());
          numbers.put(key, number());
        });
    return numbers;
  }

  /** An object of anything. */
  Map<String, Object> map() throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    object(
        key -> {
          keep(key.length());
          map.put(key, anything());
        });
    return map;
  }

  /** Whatever stands here: null, text, boolean, number, list or map. */
  Object anything() throws IOException {
    keep(0);
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        return map();
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        array(none -> list.add(anything()));
        return list;
      }
      case VALUE_NUMBER_INT -> {
        return parser.getNumberValue();
      }
      case VALUE_NUMBER_FLOAT -> {
        double value = parser.getDoubleValue();
        if (!Double.isFinite(value)) {
          throw wrong("is " + parser.getText() + ", which no double holds");
        }
        return value;
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return parser.getBooleanValue();
      }
      default -> {
        return text();
      }
    }
  }

  /** {@code value}, which may not be null here. */
  <T> T required(T value) {
    if (value == null) {
      throw wrong("must not be null");
    }
    return value;
  }

  /** The error of the value that the cursor stands on. */
  IllegalArgumentException wrong(String what) {
    String key = key(parser.getParsingContext());
    return wrong(source, (key.isEmpty() ? "the document" : key) + " " + what);
  }

  static IllegalArgumentException wrong(String source, String what) {
    return new IllegalArgumentException(
        source + ": not an rpx-agent report: " + Ink.printable(what, 300));
  }

  private static String key(JsonStreamContext context) {
    if (context.inRoot()) {
      return "";
    }
    String above = key(context.getParent());
    if (context.inArray()) {
      return context.hasCurrentIndex() ? above + "[" + context.getCurrentIndex() + "]" : above;
    }
    String name = context.getCurrentName();
    return name == null ? above : above.isEmpty() ? name : above + "." + name;
  }

  private void expect(JsonToken token, String what) throws IOException {
    if (parser.currentToken() != token) {
      throw wrong("must be " + what);
    }
  }

  private void keep(int chars) {
    kept += chars + CHARS_PER_VALUE;
    if (kept > MOST_KEPT_CHARS) {
      throw wrong("makes the report larger than any that was written");
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
