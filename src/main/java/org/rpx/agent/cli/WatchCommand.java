package org.rpx.agent.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rpx.agent.monitor.BlackBoxFile;
import org.rpx.agent.monitor.Cycle;
import org.rpx.agent.monitor.MonitorBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A control loop's black box, live in the terminal. The loop is not disturbed: it is only read. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description =
        "Show a control loop's black box: live until its process ends, or what a dead one left.")
final class WatchCommand implements Callable<Integer> {
  private static final String HOME = "\033[H";
  private static final String CLEAR_LINE = "\033[K";
  private static final String CLEAR_BELOW = "\033[J";
  private static final String CLEAR_ALL = "\033[2J";

  @Parameters(
      paramLabel = "FILE|NAME",
      description =
          "A ring file, or the name of a monitor whose file is where monitors put them unless told.")
  private String what;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How often to look: 500ms unless said.")
  private Duration interval = Duration.ofMillis(500);

  @Option(
      names = "--once",
      description = "Print once and end, as it does where stdout is no terminal.")
  private boolean once;

  @Option(
      names = "--json",
      description =
          "Print each cycle as a line of JSON, new ones as they come; with --once, those of now.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Path path = path();
    if (json) return lines(path);
    Writer out = Terminal.out(true);
    BlackBoxScreen screen = new BlackBoxScreen(Terminal.unicode());
    boolean live = Terminal.stdout() && !once;
    BlackBoxFile box = BlackBoxFile.read(path);
    if (live) out.write(CLEAR_ALL);
    while (live && box.alive() && !box.closed() && !Interrupt.received()) {
      String page = screen.page(box, Instant.now()).replace("\n", CLEAR_LINE + "\n");
      out.write(HOME + page + CLEAR_BELOW);
      out.flush();
      Thread.sleep(interval.toMillis());
      box = BlackBoxFile.read(path);
    }
    if (live) out.write(HOME + CLEAR_BELOW);
    out.write(screen.page(box, Instant.now()));
    out.flush();
    return Interrupt.received() ? Interrupt.code() : ExitCode.OK;
  }

  /** Cycles that were overwritten between two looks are missing: their numbers tell. */
  private int lines(Path path) throws Exception {
    Writer out = Terminal.out(false);
    long printed = 0;
    while (true) {
      BlackBoxFile box = BlackBoxFile.read(path);
      for (Cycle cycle : box.cycles()) {
        if (cycle.number() <= printed) continue;
        out.write(cycle.toJson() + "\n");
        printed = cycle.number();
      }
      out.flush();
      if (Interrupt.received()) return Interrupt.code();
      if (once || box.closed() || !box.alive()) return ExitCode.OK;
      Thread.sleep(interval.toMillis());
    }
  }

  private Path path() throws IOException {
    Path file = Path.of(what);
    if (Files.exists(file) || what.contains("/") || what.endsWith(".ring")) return file;
    Path folder = MonitorBuilder.ramFolder();
    Path named = folder.resolve("rpx-" + what + ".ring");
    if (Files.exists(named)) return named;
    try (Stream<Path> all = Files.list(folder)) {
      String others =
          all.map(p -> p.getFileName().toString())
              .filter(n -> n.startsWith("rpx-") && n.endsWith(".ring"))
              .map(n -> n.substring(4, n.length() - 5))
              .sorted()
              .collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "no black box \""
              + what
              + "\" in "
              + folder
              + (others.isEmpty() ? ", nor any other: name its file" : "; there are: " + others));
    }
  }
}
