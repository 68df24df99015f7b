package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.measure.Samples;

/** Samples beside a report. */
class SamplesFileTest {
  @TempDir Path folder;

  /** As numpy.save(file, numpy.array([[0, 5], [3, 4]])) of numpy 2 writes it, byte for byte. */
  @Test
  void isAnNpyFile() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SamplesFile.write(new Samples(new long[] {0, 5}, new long[] {3, 4}, 2), out);
    ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    String start = StandardCharsets.ISO_8859_1.decode(bytes.duplicate().limit(128)).toString();
    assertThat(start)
        .isEqualTo(
            "\u0093NUMPY\u0001\u0000v\u0000"
                + "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }"
                + " ".repeat(58)
                + "\n");
    assertThat(bytes.remaining()).isEqualTo(128 + 32);
    for (long expected : new long[] {0, 5, 3, 4}) {
      assertThat(bytes.getLong(128 + 8 * (int) List.of(0L, 5L, 3L, 4L).indexOf(expected)))
          .isEqualTo(expected);
    }
  }

  @Test
  void isReadBackWithItsReport() throws IOException {
    Path json = write(20_001, "a.json");
    Measurement read = JsonReport.read(json).tier3();
    assertThat(read.samples().count()).isEqualTo(20_001);
    for (int i : new int[] {0, 1, 8191, 8192, 20_000}) {
      assertThat(read.samples().startNs(i)).isEqualTo(1000L * i);
      assertThat(read.samples().durationNs(i)).isEqualTo(duration(i));
    }
    assertThat(read.threads()).isEqualTo(Reports.full().tier3().threads());
    assertThat(Files.readString(json)).doesNotContain("samples_ms", "starts_ms");
  }

  @Test
  void isNotReadWithAnothersReport() throws IOException {
    Path json = write(10, "a.json");
    Path samples = folder.resolve("a.json.samples.npy");
    write(11, "b.json");
    Files.copy(folder.resolve("b.json.samples.npy"), folder.resolve("kept"));
    Files.delete(samples);
    fails(json, "a.json.samples.npy", "missing", "keep both together");
    Files.copy(folder.resolve("kept"), samples);
    fails(json, "holds other samples");
    byte[] whole = Files.readAllBytes(samples);
    Files.write(samples, java.util.Arrays.copyOf(whole, whole.length - 1));
    fails(json, "cut off");
    Files.writeString(samples, "no samples");
    fails(json, "is no file of samples");
  }

  /** A report may come from elsewhere: it names no file but one beside it. */
  @Test
  void liesBesideItsReport() throws IOException {
    Path json = write(10, "a.json");
    String text = Files.readString(json);
    for (String name : List.of("../a.json.samples.npy", "/etc/x.npy", "x", "a\\\\b.npy")) {
      Files.writeString(json, text.replace("a.json.samples.npy", name));
      fails(json, "beside the report");
    }
  }

  /** 10 million, in a heap of 512 MiB: less than the default on a machine of 4 GB. */
  @Test
  void tenMillionFitInASmallHeap() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TenMillion.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(folder.resolve("said")))
        .isEqualTo("10000000 samples, p50 0.0015 ms, of 10000000\n");
  }

  private Path write(int n, String name) throws IOException {
    return write(Reports.with(Reports.tier1(true), measured(n)), folder.resolve(name));
  }

  static Path write(EfficiencyReport report, Path json) throws IOException {
    String name = SamplesFile.nameBeside(json);
    SamplesFile file;
    try (OutputStream out = Files.newOutputStream(json.resolveSibling(name))) {
      file = new SamplesFile(name, SamplesFile.write(report.tier3().samples(), out));
    }
    try (Writer out = Files.newBufferedWriter(json)) {
      JsonReport.write(report, file, out);
    }
    return json;
  }

  private static Measurement measured(int n) {
    long[] starts = new long[n];
    long[] durations = new long[n];
    for (int i = 0; i < n; i++) {
      starts[i] = 1000L * i;
      durations[i] = duration(i);
    }
    Measurement full = Reports.full().tier3();
    return new Measurement(
        "cpu",
        1.0,
        2.0,
        3,
        new Samples(starts, durations, n),
        1,
        full.threads(),
        full.peak(),
        full.course());
  }

  private static long duration(int i) {
    return 100 + i % 801;
  }

  private static void fails(Path json, String... says) {
    assertThatThrownBy(() -> JsonReport.read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(says);
  }

  /** What stays inline, so that it can be read by anything. */
  @Test
  void isNotNeededForFew() throws IOException {
    StringWriter out = new StringWriter();
    JsonReport.write(Reports.full(), out);
    assertThat(out.toString()).contains("samples_ms", "starts_ms").doesNotContain("samples_file");
  }
}
