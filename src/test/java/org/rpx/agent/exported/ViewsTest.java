package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.TensorInfo;

/** Where a reshape is a view: as PyTorch decides. */
class ViewsTest {
  private static List<Long> longs(String text) {
    return text == null ? List.of() : Arrays.stream(text.split(" ")).map(Long::valueOf).toList();
  }

  private static TensorInfo tensor(String sizes, String strides) {
    return new TensorInfo("float32", 4, 0, 0, 0, longs(sizes), longs(strides));
  }

  @ParameterizedTest
  @CsvSource({
    "2 3 4, 12 4 1, 24, true",
    "2 3 4, 12 4 1, 6 4, true",
    "2 3 4, 12 4 1, 4 6, true",
    "2 3 4, 12 4 1, 1 24 1, true",
    "2 4 3, 12 1 4, 24, false",
    "2 4 3, 12 1 4, 2 2 2 3, true",
    "2 4 3, 12 1 4, 8 3, false",
    "5 2 8, 8 40 1, 10 8, false",
    "5 2 8, 8 40 1, 5 2 2 4, true",
    "3 4, 0 1, 12, false",
    "3 3 4, 0 0 1, 9 4, true",
    "1 1, 7 9, 1, true",
    "0 3, 3 1, 3 0, true",
    ", , 1, true",
    "6, 2, 2 3, true",
    "4, 1, 3, false",
  })
  void fits(String sizes, String strides, String shape, boolean view) {
    String dense = "1" + " 1".repeat(shape.split(" ").length - 1);
    assertThat(Views.fits(tensor(sizes, strides), tensor(shape, dense))).isEqualTo(view);
  }
}
