package org.rpx.agent.monitor;

import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Writes until it is killed: {@code FOLDER PAUSE_NANOS}. How far it is stands in "progress". */
final class KilledWriter {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long pause = Long.parseLong(arguments[1]);
    LatencyMonitor monitor =
        LatencyMonitor.named("killed")
            .period(Duration.ofMillis(1))
            .stages("a", "b")
            .blackBox(folder, 1024)
            .build();
    MappedByteBuffer progress;
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve("progress"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      progress = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8);
    }
    progress.order(ByteOrder.LITTLE_ENDIAN);
    while (true) {
      long cycle = monitor.begin();
      monitor.mark(0);
      monitor.mark(1);
      monitor.end(cycle);
      Ring.LONG.setRelease(progress, 0, cycle);
      if (pause > 0) LockSupport.parkNanos(pause);
    }
  }
}
