package org.rpx.agent.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.Nvidia;
import org.rpx.agent.host.LibraryFacts;
import org.rpx.agent.host.NvidiaFacts;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.report.RpxJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The system card. */
@Command(
    name = "system",
    mixinStandardHelpOptions = true,
    description = "Print this machine's system card.")
final class SystemCommand implements Callable<Integer> {
  @Option(
      names = "--format",
      paramLabel = "FORM",
      description =
          "table (default), json, or mlperf: the fields of an MLPerf inference submission's"
              + " systems/*.json, those empty that only you know.")
  private Form form = Form.table;

  private static final Path ROOT = Path.of("/");

  enum Form {
    table,
    json,
    mlperf
  }

  @Override
  public Integer call() throws Exception {
    Map<String, String> libtorch = Map.of();
    NvidiaFacts nvidia = NvidiaFacts.NONE;
    try {
      libtorch = LibTorch.facts();
      nvidia = NvidiaFacts.of(Nvidia.management(), Nvidia.runtime());
    } catch (NativeException e) {
      Failure.say(e.getMessage());
    }
    SystemCard card =
        SystemCard.detect(ROOT, new LibraryFacts(libtorch, null, null, null), nvidia).build();
    Writer out = Terminal.out(form == Form.table);
    if (form == Form.json) out.write(RpxJson.cardJson(card));
    else if (form == Form.mlperf) out.write(RpxJson.mlperfJson(card.mlperf(ROOT, nvidia)));
    else print(out, "", card.toFullMap());
    out.flush();
    return ExitCode.OK;
  }

  private static void print(Writer out, String prefix, Map<?, ?> facts) throws IOException {
    for (Map.Entry<?, ?> fact : facts.entrySet()) {
      if (fact.getValue() instanceof Map<?, ?> reading && reading.containsKey("state")) {
        out.write(String.format("%-32s %s%n", prefix + fact.getKey(), text(reading)));
      } else if (fact.getValue() instanceof Map<?, ?> nested) {
        print(out, prefix + fact.getKey() + ".", nested);
      } else {
        Object value =
            fact.getValue() == null || "".equals(fact.getValue()) ? "n/a" : fact.getValue();
        out.write(String.format("%-32s %s%n", prefix + fact.getKey(), value));
      }
    }
  }

  /** A figure with its unit, or why there is none, and where it is from. */
  private static String text(Map<?, ?> reading) {
    Object value = reading.get("value");
    if (value == null) {
      return "n/a (" + reading.get("state") + ": " + reading.get("reason") + "; " + source(reading);
    }
    Object unit = reading.get("unit");
    // To what a sensor resolves; the JSON form has all digits.
    Object shown = value instanceof Double number ? Math.round(number * 10) / 10.0 : value;
    return shown + (unit == null ? "" : " " + unit) + " (" + source(reading);
  }

  private static String source(Map<?, ?> reading) {
    return reading.get("source") + ")";
  }
}
