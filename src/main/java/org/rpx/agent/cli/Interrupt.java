package org.rpx.agent.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rpx.agent.engine.LibTorch;
import sun.misc.Signal;

/**
 * Ctrl-C: ends the timed loop after its current forward, tidies up, and leaves with 130 within a
 * second.
 */
final class Interrupt {
  private static final long PATIENCE_MS = 700;
  private static final CountDownLatch tidied = new CountDownLatch(1);
  private static volatile Runnable cancel = () -> {};
  private static volatile Runnable tidy = () -> {};
  private static volatile boolean received;

  private Interrupt() {}

  static void install() {
    Signal.handle(
        new Signal("INT"),
        signal -> {
          if (received) LibTorch.leave(ExitCode.INTERRUPTED);
          received = true;
          cancel.run();
          Thread end = new Thread(Interrupt::leave, "rpx-interrupt");
          end.setDaemon(true);
          end.start();
        });
  }

  /** What ends the work; it is run at once where the signal came before. */
  static void onCancel(Runnable work) {
    cancel = work;
    if (received) work.run();
  }

  /** What has to be removed where the process is halted in the middle, beside what was said. */
  static void onHalt(Runnable work) {
    Runnable before = tidy;
    tidy =
        () -> {
          before.run();
          work.run();
        };
  }

  static boolean received() {
    return received;
  }

  /** The work has ended by itself, nothing is left to remove. */
  static void finished() {
    tidied.countDown();
  }

  private static void leave() {
    try {
      if (!tidied.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) tidy.run();
    } catch (InterruptedException e) {
      // Leaving anyway.
    }
    // Not exit(): the destructors of native libraries must not run beside a forward that is still
    // going on.
    LibTorch.leave(ExitCode.INTERRUPTED);
  }
}
