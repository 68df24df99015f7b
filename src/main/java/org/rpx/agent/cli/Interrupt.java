package org.rpx.agent.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rpx.agent.engine.LibTorch;
import sun.misc.Signal;

/**
 * Ctrl-C, and a kill or a hang-up: ends the timed loop after its current forward, tidies up, and
 * leaves within a second with 128 and the signal's number, which is 130 for Ctrl-C.
 */
final class Interrupt {
  private static final long PATIENCE_MS = 700;
  private static final CountDownLatch tidied = new CountDownLatch(1);
  private static volatile Runnable cancel = () -> {};
  private static volatile Runnable tidy = () -> {};
  private static volatile int received;

  private Interrupt() {}

  static void install() {
    // The JVM's own way out would run the destructors of native libraries beside the forward.
    for (String name : new String[] {"INT", "TERM", "HUP"}) {
      try {
        Signal.handle(new Signal(name), Interrupt::receive);
      } catch (IllegalArgumentException e) {
        // Ignored from outside (nohup), or the JVM's own (-Xrs): so it stays.
      }
    }
  }

  private static void receive(Signal signal) {
    if (received()) LibTorch.leave(code());
    received = signal.getNumber();
    cancel.run();
    Thread end = new Thread(Interrupt::leave, "rpx-interrupt");
    end.setDaemon(true);
    end.start();
  }

  /** What ends the work; it is run at once where the signal came before. */
  static void onCancel(Runnable work) {
    cancel = work;
    if (received()) work.run();
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
    return received != 0;
  }

  /** What the process ends with. */
  static int code() {
    return received() ? 128 + received : ExitCode.INTERRUPTED;
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
    LibTorch.leave(code());
  }
}
