package org.rpx.agent.monitor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All probes of a monitor; one that fails is left out, and why is kept. */
final class Probes {
  private final CopyOnWriteArrayList<MachineProbe> probes = new CopyOnWriteArrayList<>();
  private volatile String problem;

  Probes(List<MachineProbe> more) {
    probes.add(new GcProbe());
    probes.add(new LinuxProbe(Path.of("/")));
    probes.addAll(more);
  }

  /** What was read between two moments, as nanoTime. */
  record Sample(long begin, long end, List<MachineFact> facts) {}

  void attach() {
    each(MachineProbe::attach);
  }

  Sample sample() {
    long begin = System.nanoTime();
    List<MachineFact> facts = new ArrayList<>();
    each(p -> facts.addAll(p.facts()));
    return new Sample(begin, System.nanoTime(), List.copyOf(facts));
  }

  List<MachineEvent> events() {
    List<MachineEvent> events = new ArrayList<>();
    each(p -> events.addAll(p.events()));
    return events;
  }

  /** Why a probe was left out; null where none was. */
  String problem() {
    return problem;
  }

  void close() {
    each(MachineProbe::close);
  }

  private void each(Consumer<MachineProbe> action) {
    for (MachineProbe probe : probes) {
      try {
        action.accept(probe);
      } catch (RuntimeException e) {
        problem = "left out " + probe.getClass().getName() + ", which threw " + e;
        probes.remove(probe);
      }
    }
  }
}
