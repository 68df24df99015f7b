package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;
import org.rpx.agent.host.CpuFlags;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.JsonReport;
import org.rpx.agent.report.TableReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.tier2.GpuTable;
import org.rpx.agent.trace.InputSpec;

/** y = relu(a W^T + bias) + b, compiled; src/test/python/make_compiled.py has the weights. */
class PackageModelTest {
  private static final Path PACKAGE = Path.of("src/test/resources/compiled/tiny.pt2");
  private static final Path GRAPH = Path.of("src/test/resources/compiled/tiny_graph.pt2");
  private static final NativeCode ALLOWED = new NativeCode(true, List.of());
  private static final String A = "4x2:float32=2";
  private static final String B = "4x3:float32=1";

  @TempDir Path folder;

  @BeforeEach
  void onlyWhereItRuns() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64")
            && CpuFlags.read(Path.of("/")).containsAll(List.of("avx2", "fma")),
        "the compiled model is for Linux on x86-64 with AVX2");
  }

  private static Plan plan(Plan base, Path graph, String... inputs) {
    return base.withInputs(Stream.of(inputs).map(InputSpec::parse).toList())
        .withNativeCode(ALLOWED, graph);
  }

  private static Plan timed() {
    return Plan.defaults()
        .withWarmup(2)
        .withIterations(5)
        .withDuration(Duration.ofSeconds(5))
        .withThreads(1);
  }

  private static NativeException fails(Path file, Plan plan) {
    Set<String> before = unpacked();
    NativeException e =
        catchThrowableOfType(NativeException.class, () -> Rpx.profile(ModelSource.of(file), plan));
    assertThat(e).isNotNull();
    assertThat(e.getMessage()).contains(file.getFileName().toString()).doesNotContain("\n");
    assertThat(unpacked()).isEqualTo(before);
    return e;
  }

  /** Folders of packages: ours in the temporary folder, and those that the loader unpacked to. */
  private static Set<String> unpacked() {
    Set<String> found = new TreeSet<>();
    for (String name : Path.of(System.getProperty("java.io.tmpdir")).toFile().list())
      if (name.startsWith("rpx-package-")) found.add(name);
    for (String place : List.of("/tmp", System.getenv().getOrDefault("TMPDIR", "/tmp")))
      for (String name : Path.of(place).toFile().list())
        if (Files.isDirectory(Path.of(place, name, "tiny"))) found.add(place + "/" + name);
    return found;
  }

  /** A copy with a member changed. */
  private Path changed(Path file, String end, UnaryOperator<byte[]> change) throws IOException {
    Path copy = Files.copy(file, folder.resolve("changed" + file.getFileName()));
    try (FileSystem zip = FileSystems.newFileSystem(copy, Map.of());
        Stream<Path> all = Files.walk(zip.getPath("/"))) {
      Path member = all.filter(p -> p.toString().endsWith(end)).findFirst().orElseThrow();
      Files.write(member, change.apply(Files.readAllBytes(member)));
    }
    return copy;
  }

  @Test
  void computesWhatTheModelDoes() {
    Set<String> before = unpacked();
    try (Session session =
        Rpx.session(
            ModelSource.of(PACKAGE), SessionOptions.of(plan(timed(), null, A, B)).withWarmup(0))) {
      assertThat(unpacked()).isEqualTo(before);
      session.run();
      SessionTensor y = session.outputs().get(0);
      float[] values = new float[12];
      y.asFloatBuffer().get(values);
      assertThat(session.outputs()).hasSize(1);
      assertThat(y.shape()).containsExactly(4L, 3L);
      // relu(2 * (1 - 1) + 0.5) + 1, relu(2 * (2 + 0.5) - 1) + 1, relu(2 * (0 - 3)) + 1
      assertThat(values).containsExactly(1.5f, 5, 1, 1.5f, 5, 1, 1.5f, 5, 1, 1.5f, 5, 1);
      // The compiler writes a bias of three into the code itself.
      assertThat(session.weights()).extracting(w -> w.name()).containsExactly("line.weight");
    }
  }

  @Test
  void withoutItsGraphTier1IsUnknown() throws IOException {
    EfficiencyReport report = Rpx.profile(ModelSource.of(PACKAGE), plan(timed(), null, A, B));

    assertThat(report.model().format()).isEqualTo("aotinductor");
    assertThat(report.tier1()).isNull();
    assertThat(report.tier2()).isEmpty();
    assertThat(report.tier3().samples().count()).isEqualTo(5);
    assertThat(report.warnings())
        .filteredOn(w -> w.code() == Warning.Code.UNAVAILABLE)
        .extracting(Warning::message)
        .anyMatch(m -> m.startsWith("tier 1: ") && m.contains("--graph model.pt2"));
    Map<String, Object> row = report.metadata().toTableRow();
    assertThat(row).containsEntry("type", "local").containsEntry("flops_g", null);
    assertThat(row).containsEntry("params_m", null).containsEntry("memory_traffic_gb", null);
    assertThat(row.get("latency_p50_ms")).isNotNull();

    Path json = folder.resolve("report.json");
    try (var out = Files.newBufferedWriter(json)) {
      JsonReport.write(report, out);
    }
    EfficiencyReport read = JsonReport.read(json);
    assertThat(read.tier1()).isNull();
    assertThat(read.warnings()).isEqualTo(report.warnings());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tier2.again(read, GpuTable.defaults()))
        .withMessageContaining("no tier 1");
    StringWriter table = new StringWriter();
    new TableReport(false, false).write(report, table);
    assertThat(table.toString()).contains("n/a (see the warnings)", "n/a (tier 1 is not known)");
  }

  @Test
  void itsGraphGivesTheCountAndTheInputs() {
    EfficiencyReport measured = Rpx.profile(ModelSource.of(PACKAGE), plan(timed(), GRAPH));
    EfficiencyReport counted = Rpx.profile(ModelSource.of(PACKAGE), plan(Plan.counting(), GRAPH));

    // 2 x 4 rows x 3 outputs x 2 inputs; 3 x 2 weights and 3 biases
    assertThat(measured.tier1().flops()).isEqualTo(48);
    assertThat(measured.tier1().params()).isEqualTo(9);
    // 9 parameters, 4 x 2 and 4 x 3 in, 4 x 3 out, 4 bytes each
    assertThat(measured.tier1().traffic().compulsoryBytes()).isEqualTo((9 + 8 + 12 + 12) * 4);
    assertThat(measured.inputs())
        .extracting(EfficiencyReport.Input::name)
        .containsExactly("a", "b");
    assertThat(measured.tier2()).hasSize(GpuTable.defaults().size());
    assertThat(measured.tier3().samples().count()).isEqualTo(5);
    assertThat(counted.tier1()).isEqualTo(measured.tier1());
    assertThat(counted.model()).isEqualTo(measured.model());
    assertThat(counted.tier3()).isNull();
  }

  @Test
  void nothingRunsUnlessAllowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Rpx.profile(
                    ModelSource.of(PACKAGE), timed().withInputs(List.of(InputSpec.parse(A)))))
        .withMessageContainingAll("tiny.pt2", "native code", "--allow-native-code");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NativeCode(false, List.of(Path.of("libops.so"))))
        .withMessageContainingAll("libops.so", "--library", "--allow-native-code");
  }

  @Test
  void inputsAreAskedForAndChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rpx.profile(ModelSource.of(PACKAGE), plan(timed(), null)))
        .withMessageContainingAll("tiny.pt2", "--input SHAPE", "--graph model.pt2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rpx.profile(ModelSource.of(PACKAGE), plan(timed(), null, "a:" + A, B)))
        .withMessageContainingAll("\"a\"", "--graph");
    assertThat(fails(PACKAGE, plan(timed(), null, A)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.INPUT))
        .hasMessageContaining("it takes 2 tensors, 1 given");
    assertThat(fails(PACKAGE, plan(timed(), null, "5x2", B)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.INPUT))
        .hasMessageContaining("expected: 4, but got: 5");
    assertThat(fails(PACKAGE, plan(timed(), null, "4x2:int64", B)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.INPUT))
        .hasMessageContaining("dtype");
  }

  @Test
  void anotherMachinesCodeIsNotLoaded() throws IOException {
    // e_machine of AArch64
    Path foreign =
        changed(
            PACKAGE,
            ".so",
            bytes -> {
              bytes[18] = (byte) 183;
              return bytes;
            });

    assertThat(fails(foreign, plan(timed(), null, A, B)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.DEVICE))
        .hasMessageContaining("was compiled for aarch64, and this is x86_64");
  }

  /** The loader by itself unpacks every model whose name begins so, and takes the last library. */
  @Test
  void amongSeveralTheNamedModelIsLoaded() throws IOException {
    Path both = Files.copy(PACKAGE, folder.resolve("both.pt2"));
    try (FileSystem zip = FileSystems.newFileSystem(both, Map.of())) {
      Path other = Files.createDirectories(zip.getPath("/tiny/data/aotinductor/model_b"));
      Files.writeString(other.resolve("z.wrapper.so"), "no library");
    }
    EfficiencyReport report = Rpx.profile(ModelSource.of(both), plan(timed(), null, A, B));
    assertThat(report.tier3().samples().count()).isEqualTo(5);
  }

  @Test
  void aBrokenLibraryLeavesNothingBehind() throws IOException {
    Path cut = changed(PACKAGE, ".so", bytes -> java.util.Arrays.copyOf(bytes, 4096));
    assertThat(fails(cut, plan(timed(), null, A, B)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(Code.MODEL_FORMAT))
        .hasMessageContaining("cut off");

    Files.delete(cut);
    Path text = changed(PACKAGE, ".so", bytes -> "no library".getBytes());
    assertThat(fails(text, plan(timed(), null, A, B)).code()).isEqualTo(Code.MODEL_LOAD);
  }

  @Test
  void anUnknownOpNamesTheOption() throws IOException {
    Path model =
        changed(
            Path.of("src/test/resources/models/unknown_op.pt"),
            "__torch__.py",
            bytes -> new String(bytes).replace("torch.linalg_solve", "ops.my.solve").getBytes());

    assertThat(fails(model, plan(Plan.counting(), null, "4x4")))
        .hasMessageContainingAll("my::solve", "--library libops.so", "--allow-native-code");
  }

  @Test
  void aGraphGoesWithAPackage() {
    Path script = Path.of("src/test/resources/models/identity.pt");
    for (Path other : List.of(script, GRAPH))
      for (Plan base : List.of(timed(), Plan.counting()))
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Rpx.profile(ModelSource.of(other), plan(base, GRAPH)))
            .withMessageContainingAll("--graph", other.toString());
    assertThat(
            catchThrowableOfType(
                NativeException.class,
                () -> Rpx.profile(ModelSource.of(PACKAGE), plan(timed(), Path.of("none.pt2")))))
        .hasMessageContainingAll("none.pt2", "no such file");
    assertThat(fails(PACKAGE, plan(Plan.counting(), null)))
        .hasMessageContaining("--graph model.pt2");
  }
}
