package org.rpx.agent.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.rpx.agent.CancelledException;
import org.rpx.agent.engine.NativeException;
import picocli.CommandLine;

/** Errors as a user sees them: one line, and the exit code that belongs to it. */
final class Failure {
  private Failure() {}

  /** Wrong words on the command line. */
  static int usage(CommandLine.ParameterException e, boolean debug) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    say(e.getMessage() + " (" + command + " --help lists the options)");
    if (debug) e.printStackTrace();
    return ExitCode.USAGE;
  }

  /** Anything thrown by a command. */
  static int report(Throwable e, boolean debug) {
    if (e instanceof CancelledException) return Interrupt.code();
    say(text(e));
    if (debug) e.printStackTrace();
    return e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.FAILED;
  }

  private static String text(Throwable e) {
    if (e instanceof OutOfMemoryError)
      return "out of Java memory: give the JVM more with RPX_JAVA_OPTS=-Xmx2g";
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    if (e instanceof NativeException n && n.code() == NativeException.Code.INTERNAL) {
      return "internal error: " + message + " (--debug shows where)";
    }
    boolean expected =
        e instanceof NativeException
            || e instanceof IllegalArgumentException
            || e instanceof IOException
            || e instanceof UncheckedIOException;
    return expected ? message : "internal error: " + e + " (--debug shows where)";
  }

  /** One line on stderr, whatever the text holds. */
  static void say(String text) {
    String line =
        text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ").replaceAll("\\p{IsControl}", "?");
    System.err.println("rpx-agent: " + line);
  }
}
