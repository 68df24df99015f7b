package org.rpx.agent.monitor;

/** Writes JSON (RFC 8259): numbers, text, null, nesting. Commas come by themselves. */
final class JsonText {
  private final StringBuilder out = new StringBuilder();
  private boolean first = true;

  JsonText open(char bracket) {
    separate();
    out.append(bracket);
    first = true;
    return this;
  }

  JsonText close(char bracket) {
    out.append(bracket);
    first = false;
    return this;
  }

  /** The name of what comes next. */
  JsonText name(String name) {
    separate();
    quote(name);
    out.append(':');
    first = true;
    return this;
  }

  /** Text, a Long, an Integer or a Boolean; null for what is unknown. */
  JsonText value(Object value) {
    separate();
    if (value instanceof String text) quote(text);
    else out.append(value);
    return this;
  }

  JsonText field(String name, Object value) {
    return name(name).value(value);
  }

  JsonText line() {
    out.append('\n');
    return this;
  }

  private void separate() {
    if (!first) out.append(',');
    first = false;
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A surrogate without its other half has no form in UTF-8.
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
