package org.rpx.agent.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** What the launcher found out about stdout and stderr; Java cannot tell them apart. */
final class Terminal {
  private Terminal() {}

  static boolean stdout() {
    return Boolean.getBoolean("rpx.stdout.tty");
  }

  static boolean stderr() {
    return Boolean.getBoolean("rpx.stderr.tty");
  }

  static boolean colour() {
    return stdout() && System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM"));
  }

  static boolean unicode() {
    return Charset.defaultCharset().equals(StandardCharsets.UTF_8);
  }

  /** Stdout as text: the terminal's characters for people, UTF-8 for programs. */
  static Writer out(boolean forPeople) {
    Charset charset = forPeople ? Charset.defaultCharset() : StandardCharsets.UTF_8;
    return new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), charset);
  }
}
