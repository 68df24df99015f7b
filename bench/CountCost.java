// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.rpx.agent.engine.NativeSession;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.TrafficModel;
import org.rpx.agent.trace.InputSpec;

/** What counting costs beside one plain forward; bench/count-cost.sh runs it. */
public final class CountCost {
  private static final int ROUNDS = 15;

  public static void main(String[] arguments) {
    try (NativeSession session = new NativeSession(Path.of(arguments[0]), "cpu")) {
      session.inputs(Arrays.stream(arguments).skip(1).map(InputSpec::parse).toList(), 0);
      session.threads(Runtime.getRuntime().availableProcessors(), 1);
      double[] plain = new double[ROUNDS];
      double[] traced = new double[ROUNDS];
      double[] counted = new double[ROUNDS];
      for (int round = -3; round < ROUNDS; round++) {
        long start = System.nanoTime();
        session.run();
        long ran = System.nanoTime();
        var trace = session.trace();
        long recorded = System.nanoTime();
        ModelProperties.of(
            trace, session.weights(), FlopRegistry.standard(), TrafficModel.COMPULSORY, false);
        long end = System.nanoTime();
        if (round < 0) continue;
        plain[round] = (ran - start) / 1e6;
        traced[round] = (recorded - ran) / 1e6;
        counted[round] = (end - ran) / 1e6;
      }
      System.out.println(Path.of(arguments[0]).getFileName() + ", medians of " + ROUNDS + " turns:");
      double base = median(plain);
      for (var each : List.of("plain forward", "recorded by the hook", "recorded and counted")) {
        double ms = median(each.startsWith("plain") ? plain : each.endsWith("hook") ? traced : counted);
        System.out.printf("  %-22s %9.3f ms  %5.2f of plain%n", each, ms, ms / base);
      }
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
