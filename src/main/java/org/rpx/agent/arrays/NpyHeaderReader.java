package org.rpx.agent.arrays;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the Python dict in front of an array: {@code {'descr': '<f4', 'fortran_order': False,
 * 'shape': (2, 3), }} and spaces. Nothing else of Python is understood. Whatever is wrong is an
 * IllegalArgumentException without the file's name.
 */
final class NpyHeaderReader {
  private static final int MOST_SIZES = 64;
  private static final Map<String, String> DTYPES =
      Map.of(
          "f2", "float16", "f4", "float32", "f8", "float64", "i1", "int8", "u1", "uint8", "i2",
          "int16", "i4", "int32", "i8", "int64", "b1", "bool");

  private final String text;
  private int at;
  private String descr;
  private Boolean fortran;
  private List<Long> shape;

  NpyHeaderReader(String text) {
    this.text = text;
  }

  NpyHeader read() {
    expect('{');
    while (!accept('}')) {
      String key = quoted();
      expect(':');
      entry(key);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    spaces();
    if (at < text.length()) throw damaged();
    if (descr == null || fortran == null || shape == null)
      throw wrong("its header lacks descr, fortran_order or shape; save it again with numpy.save");
    int itemBytes = descr.charAt(2) - '0';
    ByteOrder order = descr.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return new NpyHeader(DTYPES.get(descr.substring(1)), itemBytes, order, fortran, shape);
  }

  private void entry(String key) {
    switch (key) {
      case "descr" -> descr = once(descr, descr());
      case "fortran_order" -> fortran = once(fortran, truth());
      case "shape" -> shape = once(shape, shape());
      default -> throw damaged();
    }
  }

  private <T> T once(T before, T now) {
    if (before != null) throw damaged();
    return now;
  }

  private String descr() {
    if (peek() == '[')
      throw wrong("it is a structured array; save each field as an array of its own");
    String word = quoted();
    if (word.equals("|O"))
      throw wrong(
          "it holds Python objects (a pickle), which are not read; save an array of numbers");
    boolean known = word.length() == 3 && DTYPES.containsKey(word.substring(1));
    boolean oneByte = word.endsWith("1");
    if (!known || (oneByte ? "|<>" : "<>").indexOf(word.charAt(0)) < 0) {
      throw wrong(
          "its dtype "
              + shown(word)
              + " is none of f2, f4, f8, i1, i2, i4, i8, u1 and b1; convert it with astype"
              + " (bfloat16 has no .npy form: save float32, and cast with --precision bf16)");
    }
    return word;
  }

  private boolean truth() {
    spaces();
    if (text.startsWith("True", at)) {
      at += 4;
      return true;
    }
    if (!text.startsWith("False", at)) throw damaged();
    at += 5;
    return false;
  }

  private List<Long> shape() {
    List<Long> sizes = new ArrayList<>();
    expect('(');
    boolean comma = true;
    while (!accept(')')) {
      if (!comma) throw damaged();
      if (sizes.size() == MOST_SIZES)
        throw wrong("it has more than " + MOST_SIZES + " dimensions; reshape it");
      sizes.add(size());
      comma = accept(',');
    }
    // Python reads (3) as a number.
    if (sizes.size() == 1 && !comma) throw damaged();
    return sizes;
  }

  private long size() {
    spaces();
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
    String digits = text.substring(start, at);
    // Python 2 wrote its long integers so.
    if (at < text.length() && text.charAt(at) == 'L') at++;
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw damaged();
    }
  }

  private String quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"') throw damaged();
    int end = text.indexOf(quote, at + 1);
    if (end < 0) throw damaged();
    String word = text.substring(at + 1, end);
    at = end + 1;
    return word;
  }

  private void expect(char c) {
    if (!accept(c)) throw damaged();
  }

  private boolean accept(char c) {
    if (peek() != c) return false;
    at++;
    return true;
  }

  /** The next character that is no space; 0 at the end. */
  private char peek() {
    spaces();
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void spaces() {
    while (at < text.length() && " \t\r\n\f".indexOf(text.charAt(at)) >= 0) at++;
  }

  private IllegalArgumentException damaged() {
    String here = at < text.length() ? "at " + shown(text.substring(at)) : "at its end";
    return wrong("its header is damaged " + here + "; save it again with numpy.save");
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what);
  }

  private static String shown(String word) {
    return "\"" + PlainText.of(word) + "\"";
  }
}
