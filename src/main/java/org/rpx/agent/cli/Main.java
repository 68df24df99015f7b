package org.rpx.agent.cli;

import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.engine.LibTorch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command: parse, run, one line for what goes wrong. */
@Command(
    name = "rpx-agent",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description =
        "What a PyTorch model costs to run: properties, roofline bounds, measured latency.",
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0 ok · 1 a gate failed · 2 usage · 3 invalid or inconclusive · 4 model or device error ·"
          + " 130 interrupted"
    })
public final class Main implements Runnable {
  private static final List<String> COMMANDS =
      List.of(
          "measure",
          "compare",
          "count",
          "run",
          "roofline",
          "watch",
          "doctor",
          "replay",
          "system",
          "gpus",
          "serve");

  /** Whether this run is to write the archive of classes that later ones start from. */
  private static final boolean ARCHIVES = Boolean.getBoolean("rpx.archive");

  @Spec private CommandSpec spec;

  @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the trace of an error.")
  private boolean debug;

  @Option(
      names = "--libtorch",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description =
          "Run on the LibTorch of the torch package installed in DIR (or RPX_LIBTORCH); the first"
              + " time builds for it.")
  private void libtorch(String folder) {
    // The launcher takes it away: a JVM that runs has its libraries' folders already.
    throw new ParameterException(
        spec.commandLine(),
        "--libtorch is understood by the launcher rpx-agent only: start that, not the jar");
  }

  public static void main(String[] arguments) {
    Thread library = new Thread(LibTorch::tryLoad, "rpx-load");
    // LibTorch takes longest to load: it comes while the command line is read.
    // What needs the linker waits until it is there, so the environment is read before.
    System.getenv();
    boolean wanted = runs(arguments);
    if (wanted) {
      LinkedAhead.link();
      library.start();
    }
    Interrupt.install();
    // Figures are read by programs: a decimal point, whatever the user's locale.
    Locale.setDefault(Locale.ROOT);
    int code = run(arguments);
    // One run more, so that the archive of classes holds those of the other formats too.
    if (ARCHIVES)
      run("measure demo:policy_transformer --iterations 60 --json - --quiet".split(" "));
    try {
      // Its libraries are not to be left half loaded.
      if (wanted) library.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.out.flush();
    System.err.flush();
    // The JVM writes its archive of classes only on its own way out.
    if (ARCHIVES) System.exit(code);
    LibTorch.leave(code);
  }

  /** Whether a model is going to run: a torch.export program is counted without LibTorch. */
  private static boolean runs(String[] arguments) {
    if (arguments.length < 2) return false;
    List<String> words = List.of(arguments);
    return List.of("measure", "run", "serve").contains(words.get(0))
        || (words.get(0).equals("compare")
            && words.stream().noneMatch(w -> w.endsWith(".json") || w.contains("libtorch=")))
        || (words.get(0).equals("count") && words.stream().noneMatch(w -> w.endsWith(".pt2")));
  }

  static int run(String... arguments) {
    Main main = new Main();
    CommandLine command = new CommandLine(main);
    // Reading a command's options takes its time: where one is named, only that one's are read.
    String named = arguments.length > 0 && COMMANDS.contains(arguments[0]) ? arguments[0] : null;
    if (named != null) command.addSubcommand(command(named));
    else for (String each : COMMANDS) command.addSubcommand(command(each));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setParameterExceptionHandler(main.new Usage());
    command.setExecutionExceptionHandler(main.new Failed());
    try {
      return command.execute(arguments);
    } catch (OutOfMemoryError | StackOverflowError e) {
      // Of exceptions alone the handlers above are told.
      return Failure.report(e, main.debug);
    }
  }

  /** A switch loads no class but the one that is wanted. */
  private static Object command(String name) {
    return switch (name) {
      case "measure" -> new MeasureCommand();
      case "compare" -> new CompareCommand();
      case "count" -> new CountCommand();
      case "run" -> new RunCommand();
      case "roofline" -> new RooflineCommand();
      case "watch" -> new WatchCommand();
      case "doctor" -> new DoctorCommand();
      case "replay" -> new ReplayCommand();
      case "system" -> new SystemCommand();
      case "gpus" -> new GpusCommand();
      case "serve" -> new ServeCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  // Classes and not lambdas, which the JVM would have to write: its archive holds none of
  // picocli's.
  private final class Usage implements CommandLine.IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
      return Failure.usage(e, debug);
    }
  }

  private final class Failed implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception e, CommandLine line, CommandLine.ParseResult result) {
      return Failure.report(e, debug);
    }
  }

  /** The jar's version. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      // The manifest's is that of a class path only.
      ModuleDescriptor module = Main.class.getModule().getDescriptor();
      String version =
          module == null
              ? Main.class.getPackage().getImplementationVersion()
              : module.rawVersion().orElse(null);
      return new String[] {"rpx-agent " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
