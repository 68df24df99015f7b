package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pickles written opcode by opcode, from the description in Python's pickletools. */
class PickleTest {
  private static final String TENSOR =
      "ctorch._utils\n_rebuild_tensor_v2\n"
          + "((U\7storagectorch\nBFloat16Storage\nU\0014U\3cpuK\14tQ"
          + "K\2K\3K\2\206K\1K\5\206\211ccollections\nOrderedDict\n)RtR";

  private static Object read(String pickle) {
    return Pickle.read(ByteBuffer.wrap(pickle.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void aTensorIsItsDescription() {
    Object read = read("\200\2}U\1w" + TENSOR + "s.");

    TensorMeta meta =
        new TensorMeta(
            Dtype.BFLOAT16,
            List.of(Size.of(3), Size.of(2)),
            List.of(Size.of(1), Size.of(5)),
            Size.of(2),
            false,
            "cpu",
            true);
    assertThat(read).isEqualTo(Map.of("w", new PickledTensor("4", false, meta)));
  }

  @Test
  void aParameterSaysWhetherItTrains() {
    Object read = read("ctorch._utils\n_rebuild_parameter\n" + TENSOR + "\210N\207R.");

    assertThat(read)
        .isInstanceOfSatisfying(
            PickledTensor.class,
            t -> {
              assertThat(t.parameter()).isTrue();
              assertThat(t.meta().requiresGrad()).isTrue();
            });
  }

  @Test
  void numbers() {
    assertThat(read("(K\377M\1\2J\377\377\377\377\212\2\0\200\212\0G\277\370\0\0\0\0\0\0t."))
        .isEqualTo(List.of(255L, 513L, -1L, -32768L, 0L, -1.5));
  }

  @Test
  void nothingIsRun() {
    assertThat(read("cos\nsystem\nU\4exit\205R.")).isEqualTo(new Pickle.Refused("os.system"));
    assertThat(read("cbuiltins\nobject\n)\201}b."))
        .isEqualTo(new Pickle.Refused("builtins.object"));
    // A dict of other things keeps its place, and says that it had a key that is no text.
    assertThat(read("}(U\1acos\nsystem\n)RK\1K\2u."))
        .isEqualTo(Map.of("a", new Pickle.Refused("os.system"), Pickle.OTHER, 2L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "}", "K", "R.", "t.", "U\7abc.", "h\1.", "X\377\377\377\377.", "\377."})
  void brokenOnesAreRefused(String pickle) {
    assertThatThrownBy(() -> read(pickle))
        .isInstanceOf(GraphException.class)
        .hasMessage("the pickle of its weights is broken; copy or export it again");
  }
}
