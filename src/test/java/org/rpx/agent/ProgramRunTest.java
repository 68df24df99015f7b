package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.report.EfficiencyReport;
import org.rpx.agent.report.Warning;
import org.rpx.agent.trace.InputSpec;

/**
 * Programs of torch.export whose weights are zeros, so that outputs are known (make_exported.py).
 */
class ProgramRunTest {
  private static final Path FILES = Path.of("src/test/resources/exported");

  private static Session session(String name, String... inputs) {
    return Rpx.session(
        ModelSource.of(FILES.resolve(name + ".pt2")),
        SessionOptions.of(
                Plan.defaults().withInputs(Arrays.stream(inputs).map(InputSpec::parse).toList()))
            .withWarmup(0));
  }

  private static Plan plan(String input) {
    return Plan.defaults()
        .withInputs(List.of(InputSpec.parse(input)))
        .withWarmup(0)
        .withIterations(2)
        .withThreads(1)
        .withGpus(List.of());
  }

  private static List<Float> floats(SessionTensor data) {
    List<Float> values = new ArrayList<>();
    ByteBuffer bytes = data.asByteBuffer();
    while (bytes.hasRemaining()) values.add(bytes.getFloat());
    return values;
  }

  private static SessionTensor output(Session session, String path) {
    return session.outputs().stream().filter(d -> d.path().equals(path)).findFirst().orElseThrow();
  }

  /** The counter is 0 in the file; each run adds 1 to it and gives x + 1. */
  @Test
  void everyRunStartsFromTheStateInTheFile() {
    try (Session session = session("functional", "3=2.0")) {
      for (int run = 0; run < 3; run++) {
        session.run();
        assertThat(floats(output(session, ""))).containsExactly(3f, 3f, 3f);
      }
    }
  }

  /** A buffer that is written to in place, graphs in modes, nested and keyword inputs. */
  @Test
  void runsGraphsInModesAndPutsBuffersBack() {
    try (Session session = session("modes", "x:{in=(4x8=1.0,4x8=1.0)}", "extra:2=5.0")) {
      for (int run = 0; run < 3; run++) {
        session.run();
        assertThat(floats(output(session, "0"))).hasSize(32).containsOnly(0f);
        assertThat(output(session, "1").dtype()).isEqualTo("bfloat16");
        assertThat(floats(output(session, "2"))).containsExactly(2f, 2f, 2f);
        assertThat(floats(output(session, "3"))).containsExactly(6f, 6f);
      }
    }
  }

  @Test
  void bindsDimensionsToTheInputs() {
    try (Session session = session("derived", "2x8=1.0", "4x8=2.0")) {
      session.run();
      assertThat(output(session, "0").shape()).containsExactly(2L, 8L);
      assertThat(floats(output(session, "1"))).hasSize(32).containsOnly(3f);
    }
    assertThatThrownBy(() -> session("derived", "2x8", "5x8"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dimension 0 of input y is 5");
  }

  @Test
  void followsABranchOnValues() {
    for (String value : new String[] {"1.0", "-1.0"}) {
      try (Session session = session("branch", "4x8=" + value)) {
        session.run();
        assertThat(floats(output(session, ""))).hasSize(32).containsOnly(0f);
      }
    }
  }

  /** What the graph cannot tell, the ops that ran do: one linear of 4 x 8 x 8 in either branch. */
  @Test
  void countsTheBranchThatRan() {
    EfficiencyReport report =
        Rpx.profile(ModelSource.of(FILES.resolve("branch.pt2")), plan("4x8=1.0"));

    assertThat(report.tier1().flops()).isEqualTo(2 * 4 * 8 * 8);
    assertThat(report.tier1().flopsComplete()).isTrue();
    assertThat(report.tier3().samples().count()).isEqualTo(2);
    assertThat(report.warnings())
        .extracting(Warning::code)
        .doesNotContain(Warning.Code.COUNTS_DIFFER, Warning.Code.DEFAULT_INPUT);
  }

  /** 300,774,272 MACs and 3,504,872 parameters (arXiv:1801.04381 says 300M and 3.4M). */
  @Test
  void theDemoIsMobileNetV2() {
    EfficiencyReport report = Rpx.profile(ModelSource.parse("demo:mobilenet_v2"), Plan.counting());

    assertThat(report.model().format()).isEqualTo("torch.export");
    assertThat(report.tier1().macs()).isEqualTo(300_774_272);
    assertThat(report.tier1().params()).isEqualTo(3_504_872);
    assertThat(report.warnings()).isEmpty();
  }

  @Test
  void runsWhatHasSizesThatDependOnValues() {
    try (Session session = session("value_sized", "4x8=1.0")) {
      session.run();
      assertThat(output(session, "").shape()).containsExactly(32L, 2L);
    }
  }
}
