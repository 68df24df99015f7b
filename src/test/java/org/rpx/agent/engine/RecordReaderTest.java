package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;
import org.rpx.agent.trace.Weight;

/** Records are written down by hand, as docs/native.md lays them out. */
class RecordReaderTest {

  @Test
  void readsTheTensorTable() {
    long[] numbers = {
      3, // where the table begins
      1,
      0, // two tensors of the layout
      2, // tensors in the table
      0,
      4,
      17,
      0,
      48,
      2,
      3,
      4,
      4,
      1, // float32, 4 bytes, storage 17, offset 0, 48 bytes, 3x4
      1,
      2,
      -1,
      5,
      -1,
      0 // float16, 2 bytes, no storage, offset 5, a scalar
    };
    RecordReader record = new RecordReader(numbers, "float32\nfloat16");

    assertThat(record.more()).isTrue();
    assertThat(record.tensor())
        .isEqualTo(new TensorInfo("float16", 2, -1, 5, -1, List.of(), List.of()));
    assertThat(record.tensor())
        .isEqualTo(new TensorInfo("float32", 4, 17, 0, 48, List.of(3L, 4L), List.of(4L, 1L)));
    assertThat(record.more()).isFalse();
  }

  @Test
  void readsAnEmptyRecord() {
    RecordReader record = new RecordReader(new long[] {1, 0}, "");

    assertThat(record.more()).isFalse();
    assertThat(record.weights()).isEmpty();
  }

  @Test
  void givesTheStringsOfARecordOfFacts() {
    RecordReader record = new RecordReader(new long[] {1, 0}, "blas\tOpenBLAS\nopenmp\t\nend\t1");

    assertThat(record.strings()).containsExactly("blas\tOpenBLAS", "openmp\t", "end\t1");
  }

  @Test
  void keepsEmptyStrings() {
    RecordReader record = new RecordReader(new long[] {4, 0, 1, 2, 0}, "\na\n");

    assertThat(List.of(record.string(), record.string(), record.string()))
        .containsExactly("", "a", "");
  }

  @Test
  void readsASignature() {
    long[] numbers = {
      7, // where the table begins
      0,
      1,
      2, // image, Tensor, required
      3,
      4,
      5, // steps, int, default
      0 // no tensors
    };
    RecordReader record = new RecordReader(numbers, "image\nTensor\nrequired\nsteps\nint\ndefault");

    StringBuilder read = new StringBuilder();
    while (record.more())
      read.append(record.string() + " " + record.string() + " " + record.string() + ";");

    assertThat(read).hasToString("image Tensor required;steps int default;");
  }

  @Test
  void readsWeights() {
    long[] numbers = {
      9, // where the table begins
      0,
      1,
      1,
      0, // a parameter, fc.weight, wants a gradient, the first tensor
      2,
      3,
      0,
      1, // a constant, no name, none, the second
      2, // tensors in the table
      4,
      4,
      7,
      0,
      24,
      2,
      2,
      3,
      3,
      1, // float32, storage 7, 2x3
      5,
      8,
      8,
      0,
      8,
      0 // int64, storage 8, a scalar
    };
    RecordReader record =
        new RecordReader(numbers, "parameter\nfc.weight\nconstant\n\nfloat32\nint64");

    assertThat(record.weights())
        .containsExactly(
            new Weight(
                "parameter",
                "fc.weight",
                true,
                new TensorInfo("float32", 4, 7, 0, 24, List.of(2L, 3L), List.of(3L, 1L))),
            new Weight(
                "constant", "", false, new TensorInfo("int64", 8, 8, 0, 8, List.of(), List.of())));
  }

  @Test
  void readsATrace() {
    long half = Double.doubleToRawLongBits(0.5);
    long[] numbers = {
      40, // where the table begins
      32, // behind the last call
      0,
      1,
      5, // aten::op, overload out, called in a.0
      9, // arguments: nothing, a tensor, -3, 0.5, true, [7, [a tensor]], "same", "Device", false
      0,
      1,
      0,
      2,
      -3,
      3,
      half,
      4,
      1,
      5,
      2,
      2,
      7,
      5,
      1,
      1,
      1,
      6,
      2,
      7,
      3,
      4,
      0,
      1,
      1,
      1, // results: a tensor
      1,
      1,
      0, // inputs: a tensor
      5,
      2,
      0,
      1,
      1, // the output: a list of nothing and a tensor
      2, // tensors in the table
      4,
      4,
      1,
      0,
      4,
      0, // float32, storage 1
      4,
      4,
      2,
      0,
      4,
      0 // float32, storage 2
    };
    TensorInfo first = new TensorInfo("float32", 4, 1, 0, 4, List.of(), List.of());
    TensorInfo second = new TensorInfo("float32", 4, 2, 0, 4, List.of(), List.of());

    OpTrace trace =
        new RecordReader(
                numbers,
                "aten::op\nout\nsame\nDevice\nfloat32\nTOP(N)::forward\ta(A)::forward\t0(B)::forward\tSELF(B)::f")
            .trace();

    assertThat(trace.calls())
        .containsExactly(
            new OpCall(
                "aten::op",
                "out",
                "a.0",
                Arrays.asList(
                    null,
                    first,
                    -3L,
                    0.5,
                    true,
                    List.of(7L, List.of(second)),
                    "same",
                    "Device",
                    false),
                List.of(second)));
    assertThat(trace.inputs()).containsExactly(first);
    assertThat(trace.outputs()).containsExactly(Arrays.asList(null, second));
    assertThat(OpTrace.tensors(trace.outputs())).containsExactly(second);
  }

  @Test
  void readsATraceOfNothing() {
    // No calls, no inputs, and none for an output.
    OpTrace trace = new RecordReader(new long[] {4, 2, 0, 0, 0}, "").trace();

    assertThat(trace.calls()).isEmpty();
    assertThat(trace.inputs()).isEmpty();
    assertThat(trace.outputs()).hasSize(1).containsOnlyNulls();
  }

  @Test
  void refusesAKindThatIsNotLaidDown() {
    RecordReader record = new RecordReader(new long[] {5, 2, 1, 8, 0, 0}, "");

    assertThatThrownBy(record::trace)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kind 8");
  }
}
