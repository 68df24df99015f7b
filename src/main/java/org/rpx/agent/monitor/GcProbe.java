package org.rpx.agent.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Pauses of this JVM's collectors, to the millisecond. */
final class GcProbe implements MachineProbe, NotificationListener {
  /** A storm has hundreds a second, and a report comes up to seconds after its miss. */
  private static final int KEPT = 1024;

  private final List<GarbageCollectorMXBean> collectors = new ArrayList<>();
  private final ArrayDeque<MachineEvent> pauses = new ArrayDeque<>();

  /** Between the collectors' clock and nanoTime: word comes after the end, so the least is best. */
  private long offset = Long.MAX_VALUE;

  GcProbe() {
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      // These tell of work that runs beside the program.
      if (each.getName().endsWith(" Cycles") || each.getName().contains("Concurrent")) continue;
      collectors.add(each);
      if (each instanceof NotificationEmitter source) {
        source.addNotificationListener(this, null, null);
      }
    }
  }

  @Override
  public List<MachineFact> facts() {
    long count = 0;
    long ms = 0;
    for (GarbageCollectorMXBean each : collectors) {
      count += Math.max(0, each.getCollectionCount());
      ms += Math.max(0, each.getCollectionTime());
    }
    return List.of(
        MachineFact.counter("gc_pauses", "1", count),
        MachineFact.counter("gc_pause_time", "ns", ms * 1_000_000));
  }

  @Override
  public void handleNotification(Notification notification, Object handback) {
    long now = System.nanoTime();
    if (!(notification.getUserData() instanceof CompositeData data)) return;
    GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
    long begin = info.getGcInfo().getStartTime() * 1_000_000;
    long end = info.getGcInfo().getEndTime() * 1_000_000;
    synchronized (pauses) {
      offset = Math.min(offset, now - end);
      if (pauses.size() == KEPT) pauses.remove();
      pauses.add(
          new MachineEvent("gc_pause", begin, end, info.getGcName() + ": " + info.getGcCause()));
    }
  }

  @Override
  public List<MachineEvent> events() {
    synchronized (pauses) {
      return pauses.stream()
          .map(
              e ->
                  new MachineEvent(
                      e.kind(), e.beginNanos() + offset, e.endNanos() + offset, e.detail()))
          .toList();
    }
  }

  @Override
  public void close() {
    for (GarbageCollectorMXBean each : collectors) {
      try {
        if (each instanceof NotificationEmitter source) source.removeNotificationListener(this);
      } catch (ListenerNotFoundException e) {
        // It is gone already.
      }
    }
  }
}
