package org.rpx.agent.cli;

import java.util.function.LongSupplier;
import org.rpx.agent.Watch;

/** One line on a terminal's stderr that says what goes on; nothing where stderr is no terminal. */
final class Progress implements Watch, AutoCloseable {
  private static final long EVERY_MS = 200;

  private final boolean shown;
  private volatile Thread ticker;
  private int width;

  Progress(boolean shown) {
    this.shown = shown;
  }

  @Override
  public void beside(Runnable work) {
    Thread thread = new Thread(work, "rpx-load");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void cancellable(Runnable cancel) {
    Interrupt.onCancel(cancel);
  }

  @Override
  public void temporary(Runnable remove) {
    Interrupt.onHalt(remove);
  }

  @Override
  public void phase(String name) {
    show(name);
  }

  @Override
  public void timing(LongSupplier done, int of, long limitNs) {
    if (!shown) return;
    long start = System.nanoTime();
    long before = done.getAsLong();
    Thread thread =
        new Thread(
            () -> {
              while (ticker == Thread.currentThread()) {
                tick(done.getAsLong(), before, of, limitNs, System.nanoTime() - start);
                try {
                  Thread.sleep(EVERY_MS);
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "rpx-progress");
    thread.setDaemon(true);
    ticker = thread;
    thread.start();
  }

  /** The counter is native memory that goes with the loop: nobody may read it afterwards. */
  @Override
  public void timed() {
    Thread thread = ticker;
    ticker = null;
    if (thread == null) return;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    timed();
    show("");
  }

  private void tick(long done, long before, int of, long limitNs, long passedNs) {
    double byCount =
        done > before
            ? (double) passedNs / (done - before) * (of - done)
            : Double.POSITIVE_INFINITY;
    double left = Math.min(byCount, (double) limitNs - passedNs) / 1e9;
    String time = left > 0 && left < 1e6 ? String.format(", %.0f s left", left) : "";
    show("time " + done + (of >= 10_000_000 ? "" : "/" + of) + time);
  }

  private synchronized void show(String text) {
    if (!shown) return;
    System.err.print(
        "\r"
            + text
            + " ".repeat(Math.max(0, width - text.length()))
            + (text.isEmpty() ? "\r" : ""));
    System.err.flush();
    width = text.length();
  }
}
