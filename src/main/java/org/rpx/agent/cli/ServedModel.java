package org.rpx.agent.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rpx.agent.CancelledException;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.measure.PipedWorkload;

/** A process that runs one side of a comparison ({@link ServeCommand}); its end is a line. */
final class ServedModel implements AutoCloseable {
  private static final String VARIABLE = "RPX_LIBTORCH";
  private static final String PREFIX = "rpx-agent: ";
  private static final long PATIENCE_S = 5;

  private final String side;
  private final Process process;
  private final Thread reader;
  private volatile String complaint;

  /**
   * Starts it; {@link #workload} waits for it to be ready.
   *
   * @param side what errors call it
   * @param libtorch folder of a torch package; "default" for the agent's own; null for that of this
   *     process
   */
  ServedModel(String side, List<String> arguments, String libtorch) {
    this.side = side;
    List<String> command = new ArrayList<>(FreshProcess.launcher());
    command.add("serve");
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    if (libtorch != null) choose(builder, libtorch);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(side + ": no process could be started", e);
    }
    reader = new Thread(this::listen, "rpx-listen");
    reader.setDaemon(true);
    reader.start();
  }

  private static void choose(ProcessBuilder builder, String libtorch) {
    String own = builder.environment().get(VARIABLE);
    boolean isDefault = libtorch.equals("default");
    boolean same =
        isDefault
            ? own == null || own.isEmpty()
            : own != null && Path.of(own).normalize().equals(Path.of(libtorch).normalize());
    if (System.getProperty("rpx.launcher") == null && !same)
      throw new IllegalArgumentException(
          "--base libtorch is understood by the launcher rpx-agent only: start that, not the jar");
    if (isDefault) builder.environment().remove(VARIABLE);
    else builder.environment().put(VARIABLE, Path.of(libtorch).toAbsolutePath().toString());
  }

  /** Of its own lines on stderr the last is kept; those of a build, which takes long, are shown. */
  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        if (!line.startsWith(PREFIX)) continue;
        complaint = line.substring(PREFIX.length());
        if (complaint.startsWith("building")) Failure.say(complaint);
      }
    } catch (IOException e) {
      // It was closed: there is no more to hear.
    }
  }

  /** Once it is ready. */
  PipedWorkload workload() {
    try {
      return new PipedWorkload(process.getInputStream(), process.getOutputStream());
    } catch (UncheckedIOException e) {
      throw failure();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Why it answers no more. */
  RuntimeException failure() {
    try {
      if (Interrupt.received()) return new CancelledException();
      // It says why, and ends.
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
        return new NativeException(
            NativeException.Code.INTERNAL, side + ": it answers no more, and does not end");
      reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CancelledException();
    }
    int code = process.exitValue();
    String why = side + ": " + (complaint == null ? FreshProcess.died(code) : complaint);
    return code == ExitCode.USAGE
        ? new IllegalArgumentException(why)
        : new NativeException(NativeException.Code.MODEL_LOAD, why);
  }

  /** Ends it at once. A second call does nothing. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
