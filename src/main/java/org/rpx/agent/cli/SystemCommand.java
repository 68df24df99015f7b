package org.rpx.agent.cli;

import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.host.LibraryFacts;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.host.SystemCards;
import org.rpx.agent.report.RpxJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The system card. */
@Command(
    name = "system",
    mixinStandardHelpOptions = true,
    description = "Print this machine's system card.")
final class SystemCommand implements Callable<Integer> {
  @Option(names = "--format", paramLabel = "FORM", description = "table (default) or json.")
  private Form form = Form.table;

  enum Form {
    table,
    json
  }

  @Override
  public Integer call() throws Exception {
    Map<String, String> libtorch = Map.of();
    try {
      libtorch = LibTorch.facts();
    } catch (NativeException e) {
      Failure.say(e.getMessage());
    }
    SystemCard card =
        SystemCards.detect(Path.of("/"), new LibraryFacts(libtorch, null, null, null)).build();
    Writer out = Terminal.out(form == Form.table);
    if (form == Form.json) out.write(RpxJson.cardJson(card));
    else print(out, "", card.toFullMap());
    out.flush();
    return ExitCode.OK;
  }

  private static void print(Writer out, String prefix, Map<?, ?> facts) throws java.io.IOException {
    for (Map.Entry<?, ?> fact : facts.entrySet()) {
      if (fact.getValue() instanceof Map<?, ?> nested) {
        print(out, prefix + fact.getKey() + ".", nested);
      } else {
        Object value =
            fact.getValue() == null || "".equals(fact.getValue()) ? "n/a" : fact.getValue();
        out.write(String.format("%-32s %s%n", prefix + fact.getKey(), value));
      }
    }
  }
}
