package org.rpx.agent.cli;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command: parse, run, one line for what goes wrong. */
@Command(
    name = "rpx-agent",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "What a PyTorch model costs to run: properties, roofline bounds, measured latency.",
    subcommands = {
      MeasureCommand.class,
      CountCommand.class,
      RooflineCommand.class,
      SystemCommand.class,
      GpusCommand.class
    },
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0 ok · 2 usage · 3 invalid measurement · 4 model or device error · 130 interrupted"
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the trace of an error.")
  private boolean debug;

  public static void main(String[] arguments) {
    // Figures are read by programs: a decimal point, whatever the user's locale.
    Locale.setDefault(Locale.ROOT);
    Interrupt.install();
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    Main main = new Main();
    CommandLine command = new CommandLine(main);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setParameterExceptionHandler((e, args) -> Failure.usage(e, main.debug));
    command.setExecutionExceptionHandler((e, line, result) -> Failure.report(e, main.debug));
    return command.execute(arguments);
  }

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** The jar's version. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"rpx-agent " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
