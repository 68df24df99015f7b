// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Path;
import java.util.Arrays;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Rpx;
import org.rpx.agent.Session;
import org.rpx.agent.SessionOptions;

/** p50 of n runs of a session, in nanoseconds, the two clock reads in it: MODEL N. See loop.sh. */
final class SessionLoop {
  public static void main(String[] arguments) {
    long[] ns = new long[Integer.parseInt(arguments[1])];
    try (Session session =
        Rpx.session(
            ModelSource.of(Path.of(arguments[0])), SessionOptions.threads(1).withInputs("1x4"))) {
      for (int warm = 0; warm < 3; warm++) time(session, ns);
    }
    Arrays.sort(ns);
    System.out.println((ns[(ns.length - 1) / 2] + ns[ns.length / 2]) / 2);
  }

  private static void time(Session session, long[] ns) {
    for (int i = 0; i < ns.length; i++) {
      long start = System.nanoTime();
      session.run();
      ns[i] = System.nanoTime() - start;
    }
  }
}
