package org.rpx.agent.engine;

/** What native code reports: one of its codes, and one line of text. */
public final class NativeException extends RuntimeException {
  private final Code code;

  /** The codes of the native facade, and none else; docs/native.md tells when each comes. */
  public enum Code {
    MODEL_FORMAT,
    MODEL_LOAD,
    INPUT,
    OUT_OF_MEMORY,
    DEVICE,
    UNSUPPORTED,
    INTERNAL
  }

  /** Takes "CODE: text", as native code throws it. */
  NativeException(String what) {
    this(codeOf(what), textOf(what));
  }

  /** Takes a code and one line of text. */
  public NativeException(Code code, String text) {
    // LibTorch quotes what it found in a file, whatever that is.
    super(text.replaceAll("\\s*[\\r\\n]+\\s*", " ").replaceAll("[\\p{Cntrl}\\uFFFD]", "?"));
    this.code = code;
  }

  public Code code() {
    return code;
  }

  /** The same, with the name of what it is about in front. */
  public NativeException about(String subject) {
    NativeException named = new NativeException(code, subject + ": " + getMessage());
    named.initCause(this);
    return named;
  }

  private static Code codeOf(String what) {
    int colon = what.indexOf(": ");
    for (Code code : Code.values()) {
      if (colon > 0 && code.name().equals(what.substring(0, colon))) return code;
    }
    return Code.INTERNAL;
  }

  private static String textOf(String what) {
    boolean whole = codeOf(what) == Code.INTERNAL && !what.startsWith("INTERNAL: ");
    return whole ? what : what.substring(what.indexOf(": ") + 2);
  }
}
