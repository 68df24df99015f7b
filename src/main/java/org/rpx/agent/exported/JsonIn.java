package org.rpx.agent.exported;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * A cursor over one JSON member of an archive, so that it is never held as a tree. On entry of a
 * method the cursor is on the first token of a value, on return on its last.
 *
 * <p>What is read is kept, so that its amount is bounded.
 */
final class JsonIn {
  /** A graph of 100,000 nodes has a third of that; in memory they are some 50 bytes each. */
  private static final int MOST_VALUES = 20_000_000;

  private final JsonParser parser;
  private final String member;
  private int values;

  JsonIn(JsonParser parser, String member) {
    this.parser = parser;
    this.member = member;
    next();
  }

  /** Calls {@code field} with each key, the cursor on its value. */
  void object(Consumer<String> field) {
    if (parser.currentToken() != JsonToken.START_OBJECT) throw wrong("is not an object");
    while (next() != JsonToken.END_OBJECT) {
      String key = text(parser::currentName);
      next();
      count();
      field.accept(key);
    }
  }

  /** Calls {@code item} with the cursor on each item. */
  void array(Runnable item) {
    if (parser.currentToken() != JsonToken.START_ARRAY) throw wrong("is not a list");
    while (next() != JsonToken.END_ARRAY) {
      count();
      item.run();
    }
  }

  private void count() {
    if (++values > MOST_VALUES) throw wrong("is one of more than " + MOST_VALUES + " values");
  }

  /** Goes past the value. */
  void skip() {
    try {
      parser.skipChildren();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  String string() {
    if (parser.currentToken() != JsonToken.VALUE_STRING) throw wrong("is not a text");
    return text(parser::getText);
  }

  String stringOrNull() {
    return isNull() ? null : string();
  }

  long integer() {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) throw wrong("is not a whole number");
    try {
      return parser.getLongValue();
    } catch (IOException e) {
      // Above 2^63: no size of a tensor, and no argument of an op.
      throw wrong("is a number beyond 64 bits");
    }
  }

  boolean bool() {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE)
      throw wrong("is not true or false");
    return token == JsonToken.VALUE_TRUE;
  }

  /** Infinities and NaN are written as texts. */
  double number() {
    try {
      if (parser.currentToken() != JsonToken.VALUE_STRING) return parser.getDoubleValue();
      return switch (parser.getText()) {
        case "Infinity" -> Double.POSITIVE_INFINITY;
        case "-Infinity" -> Double.NEGATIVE_INFINITY;
        case "NaN" -> Double.NaN;
        default -> throw wrong("is not a number");
      };
    } catch (IOException e) {
      throw wrong("is not a number");
    }
  }

  /** A value that has to have been there. */
  <T> T need(T value, String key) {
    if (value == null) throw wrong("has no \"" + key + "\"");
    return value;
  }

  /** What is wrong with the value that the cursor is on. */
  GraphException wrong(String what) {
    return new GraphException(
        member
            + " is not as torch.export writes it (\""
            + parser.getParsingContext().pathAsPointer()
            + "\" "
            + what
            + "); export it again");
  }

  private JsonToken next() {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) throw wrong("ends too early");
      return token;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private interface Text {
    String get() throws IOException;
  }

  private String text(Text text) {
    try {
      return text.get();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException e) {
    if (!(e instanceof JsonProcessingException json)) return new UncheckedIOException(e);
    return wrong("is malformed: " + json.getOriginalMessage());
  }
}
