package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.trace.InputSpec;

/** A damaged file never takes the process with it, and never gives wrong counts. */
class CorruptionIT {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "bn_train.pt, 2x3x16x16, cut, 40",
    "bn_train.pt, 2x3x16x16, flip, 60",
    "resnet18.pt, 1x3x32x32, cut, 40",
    "resnet18.pt, 1x3x32x32, flip, 60",
    // The archive's own entries, at its end, are under no checksum.
    "bn_train.pt, 2x3x16x16, flip-end, 60"
  })
  void damage(String model, String input, String kind, int times) throws IOException {
    Path whole = folder.resolve(model);
    Files.write(whole, bytes(model));
    String classes = Path.of(place(CorruptionIT.class)).toString();

    Agent agent = new Agent(folder);
    Agent.Result result =
        agent.finish(
            agent.java(
                List.of(
                    "-cp",
                    Agent.jar() + ":" + classes,
                    Attempts.class.getName(),
                    whole.toString(),
                    input,
                    kind,
                    String.valueOf(times))));

    assertThat(result.exit()).as("of the process, which said: %s", result.err()).isZero();
    List<String> lines = result.out().lines().toList();
    assertThat(lines).hasSize(1 + times);
    String counts = lines.get(0);
    assertThat(counts).startsWith("counts ");
    for (String line : lines.subList(1, lines.size())) {
      String outcome = line.substring(line.indexOf(": ") + 2);
      if (!outcome.equals(counts)) assertThat(outcome).as(line).startsWith("refused ");
    }
    assertThat(lines).filteredOn(l -> l.contains(": refused ")).isNotEmpty();
  }

  private static byte[] bytes(String model) throws IOException {
    if (!model.equals("resnet18.pt")) return Files.readAllBytes(Agent.MODELS.resolve(model));
    try (InputStream in = Rpx.class.getResourceAsStream("demo/resnet18.pt")) {
      return in.readAllBytes();
    }
  }

  private static String place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /** The child: damages a copy of a model, again and again, and says what came of each. */
  static final class Attempts {
    private static final long SEED = 20260101;

    private Attempts() {}

    public static void main(String[] arguments) throws IOException {
      Path whole = Path.of(arguments[0]);
      byte[] bytes = Files.readAllBytes(whole);
      Path damaged = whole.resolveSibling("damaged.pt");
      Plan plan = Plan.counting().withInputs(List.of(InputSpec.parse(arguments[1])));
      System.out.println(outcome(whole, plan));
      Random random = new Random(SEED);
      for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
        int from = arguments[2].equals("flip-end") ? directory(bytes) : 0;
        int place = from + random.nextInt(bytes.length - from);
        byte[] copy = arguments[2].equals("cut") ? Arrays.copyOf(bytes, place) : bytes.clone();
        String bit = "";
        if (!arguments[2].equals("cut")) {
          int flipped = random.nextInt(8);
          copy[place] ^= (byte) (1 << flipped);
          bit = " bit " + flipped;
        }
        Files.write(damaged, copy);
        System.out.println(place + bit + ": " + outcome(damaged, plan));
      }
    }

    /** Where the list of a zip archive's entries begins, by the record at its end. */
    private static int directory(byte[] zip) {
      int at = zip.length - 22 + 16;
      return (zip[at] & 0xff) | (zip[at + 1] & 0xff) << 8 | (zip[at + 2] & 0xff) << 16;
    }

    private static String outcome(Path model, Plan plan) {
      try {
        EfficiencyReport r = Rpx.profile(ModelSource.of(model), plan);
        return "counts "
            + List.of(
                r.tier1().params(),
                r.tier1().buffers(),
                r.tier1().flops(),
                r.tier1().traffic().compulsoryBytes(),
                r.tier1().activations().livenessPeakBytes());
      } catch (NativeException | IllegalArgumentException e) {
        boolean oneLine = e.getMessage().chars().noneMatch(Character::isISOControl);
        return (oneLine ? "refused " : "ODD ") + e.getMessage().replaceAll("\\p{Cntrl}", "?");
      } catch (Throwable t) {
        return "threw " + t.toString().replaceAll("\\p{Cntrl}", "?");
      }
    }
  }
}
