package org.rpx.agent.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissReportTest {
  private static final long MS = 1_000_000;
  private static final long START = 5_000 * MS;

  /** Cycles of 12 ms, 10 ms apart from each other's ends; number 50 takes 42, in "infer". */
  private static BlackBoxFile ring() {
    List<Cycle> cycles =
        LongStream.rangeClosed(1, 60)
            .mapToObj(
                n -> {
                  long infer = n == 50 ? 40 * MS : 10 * MS;
                  return new Cycle(
                      n,
                      n * 22 * MS,
                      infer + 2 * MS,
                      0L,
                      null,
                      n < 50 ? 0 : 1,
                      0,
                      n == 50 ? 1 : 0,
                      Arrays.asList(MS, infer + MS, infer + 2 * MS));
                })
            .toList();
    return new BlackBoxFile(
        Path.of("rpx-x.ring"),
        "x",
        List.of("camera", "infer", "act \"\u0001"),
        33 * MS,
        30 * MS,
        Instant.parse("2026-01-02T03:04:05Z"),
        1,
        true,
        false,
        64,
        cycles,
        0);
  }

  private static Probes.Sample sample(long at, MachineFact... facts) {
    return new Probes.Sample(START + at, START + at, List.of(facts));
  }

  private static MachineFact waited(long nanos) {
    return MachineFact.counter("thread_waited_for_cpu", "ns", nanos);
  }

  private static Diagnosis diagnosis(
      MachineFact before, MachineFact after, MachineEvent... events) {
    Cycle missed = ring().cycles().get(49);
    return Diagnosis.of(
        ring(),
        missed,
        START + missed.beginNanos(),
        sample(1000 * MS, before),
        sample(1200 * MS, after),
        List.of(events));
  }

  @Test
  void theSlowStageIsNamedAndNoCauseWhereThereIsNone() {
    Diagnosis found = diagnosis(waited(500 * MS), waited(502 * MS));
    assertThat(found.stage()).isEqualTo("infer");
    assertThat(found.stageNanos()).isEqualTo(40 * MS);
    assertThat(found.usualNanos()).isEqualTo(10 * MS);
    assertThat(found.excessNanos()).isEqualTo(30 * MS);
    assertThat(found.causes()).isEmpty();
    assertThat(found.text())
        .isEqualTo("infer took 40.0 ms, usually 10.0 ms; the machine did nothing that explains it");
  }

  @Test
  void aTenthOfTheExcessIsACause() {
    assertThat(diagnosis(waited(500 * MS), waited(503 * MS)).causes())
        .containsExactly(
            new Diagnosis.Cause(
                "waited_for_cpu",
                "the thread waited 3.0 ms for a core within the 200.0 ms around it"));
    assertThat(
            diagnosis(
                    MachineFact.counter("thread_major_faults", "1", 3),
                    MachineFact.counter("thread_major_faults", "1", 5))
                .causes())
        .extracting(Diagnosis.Cause::kind)
        .containsExactly("page_faults");
  }

  @Test
  void aPauseCountsWhereItOverlapsTheCycle() {
    long begin = START + 50 * 22 * MS;
    MachineEvent before = new MachineEvent("gc_pause", begin - 20 * MS, begin, "G1: early");
    MachineEvent within =
        new MachineEvent("gc_pause", begin + 40 * MS, begin + 60 * MS, "G1: a storm");
    Diagnosis quiet = diagnosis(waited(0), waited(0), before, within);
    // Only 2 of its 20 ms fall into the cycle: less than a tenth of 30.
    assertThat(quiet.causes()).isEmpty();
    MachineEvent most =
        new MachineEvent("gc_pause", begin + 5 * MS, begin + 33 * MS, "G1: a storm");
    assertThat(diagnosis(waited(0), waited(0), before, most).causes())
        .containsExactly(new Diagnosis.Cause("gc_pause", "28.0 ms of G1: a storm"));
  }

  /** Begun 25 ms after its release by a pause, and 12 ms long: 37 of 30, and no stage was slow. */
  @Test
  void aLateBeginIsToBlameWhereTheDeadlineCountsFromTheRelease() {
    Cycle late =
        new Cycle(
            61,
            61 * 22 * MS,
            12 * MS,
            25 * MS,
            null,
            2,
            0,
            1,
            Arrays.asList(MS, 11 * MS + 1, 12 * MS));
    long begin = START + 61 * 22 * MS;
    MachineEvent pause = new MachineEvent("gc_pause", begin - 30 * MS, begin, "Copy: full");
    Diagnosis found =
        Diagnosis.of(
            ring(),
            late,
            begin,
            sample(1300 * MS, waited(0)),
            sample(1500 * MS, waited(0)),
            List.of(pause));
    assertThat(found.latenessNanos()).isEqualTo(25 * MS);
    assertThat(found.stage()).isNull();
    assertThat(found.excessNanos()).isEqualTo(25 * MS);
    assertThat(found.text())
        .isEqualTo("the cycle began 25.0 ms after its release; 25.0 ms of Copy: full");
  }

  @Test
  void whatIsUnknownIsNoCause() {
    MachineFact none = MachineFact.unknown("thread_waited_for_cpu", "ns", "no /proc");
    assertThat(diagnosis(none, waited(900 * MS)).causes()).isEmpty();
  }

  @Test
  void theReportIsJsonWithTheCyclesAround() throws IOException {
    Cycle missed = ring().cycles().get(49);
    String text =
        new MissReport(ring(), START)
            .write(
                missed,
                sample(1000 * MS, waited(5), MachineFact.unknown("t", "m°C", "none")),
                sample(1200 * MS, waited(9), MachineFact.unknown("t", "m°C", "none")),
                List.of(
                    new MachineEvent("gc_pause", START + 1100 * MS, START + 1101 * MS, "\\G1\n")),
                7);
    JsonNode report = new ObjectMapper().readTree(text);
    assertThat(report.get("schema").asText()).isEqualTo("rpx.miss/1");
    assertThat(report.get("misses_unreported_before").asLong()).isEqualTo(7);
    assertThat(report.at("/miss/cycle").asLong()).isEqualTo(50);
    assertThat(report.at("/miss/at").asText()).isEqualTo("2026-01-02T03:04:06.100Z");
    assertThat(report.at("/miss/stage").asText()).isEqualTo("infer");
    assertThat(report.at("/stages/2").asText()).isEqualTo("act \"\u0001");
    assertThat(report.at("/machine/facts/0/difference").asLong()).isEqualTo(4);
    assertThat(report.at("/machine/facts/1/after").isNull()).isTrue();
    assertThat(report.at("/machine/facts/1/why").asText()).isEqualTo("none");
    assertThat(report.at("/events/0/begin_ns").asLong()).isEqualTo(1100 * MS);
    assertThat(report.at("/events/0/detail").asText()).isEqualTo("\\G1\n");
    assertThat(report.get("cycles")).hasSize(32 + 1 + 8);
    assertThat(report.at("/cycles/0/cycle").asLong()).isEqualTo(18);
    assertThat(report.at("/cycles/32/stage_ends_ns/1").asLong()).isEqualTo(41 * MS);
    assertThat(report.at("/cycles/32/device_ns").isNull()).isTrue();
  }

  @Test
  void aMissWritesOneReportAndTheNextOnesWait(@TempDir Path folder) throws Exception {
    MachineProbe broken =
        () -> {
          throw new IllegalStateException("no sensor");
        };
    MachineProbe own = () -> List.of(MachineFact.gauge("battery", "%", 71));
    try (LatencyMonitor monitor =
        LatencyMonitor.named("late")
            .deadline(Duration.ofMillis(50))
            .stages("think", "act")
            .blackBox(folder, 64)
            .probe(broken)
            .probe(own)
            .build()) {
      long now = System.nanoTime();
      for (int i = 1; i <= 30; i++, now += 100 * MS) {
        long cycle = monitor.begin(now);
        monitor.mark(0, now + (i > 27 ? 80 * MS : 10 * MS));
        monitor.end(cycle, now + (i > 27 ? 82 * MS : 12 * MS));
      }
      Path file = folder.resolve("rpx-late.miss-1.json");
      BlackBoxState state = monitor.snapshot().blackBox();
      for (int i = 0; i < 600 && state.missReports() == 0; i++) {
        Thread.sleep(50);
        state = monitor.snapshot().blackBox();
      }
      for (int i = 0; i < 600 && state.missesUnreported() < 2; i++) {
        Thread.sleep(50);
        state = monitor.snapshot().blackBox();
      }
      assertThat(state.missReports()).isEqualTo(1);
      assertThat(state.missesUnreported()).isEqualTo(2);
      assertThat(state.problem()).contains("left out", "no sensor");
      JsonNode report = new ObjectMapper().readTree(file.toFile());
      assertThat(report.at("/miss/cycle").asLong()).isEqualTo(28);
      assertThat(report.at("/miss/stage").asText()).isEqualTo("think");
      assertThat(report.at("/miss/stage_usual_ns").asLong()).isEqualTo(10 * MS);
      assertThat(report.get("cycles").get(0).get("cycle").asLong()).isEqualTo(1);
      List<String> facts = report.at("/machine/facts").findValuesAsText("name");
      assertThat(facts).contains("gc_pauses", "thread_major_faults", "battery");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("rpx-late.ring", "rpx-late.miss-1.json");
    }
  }
}
