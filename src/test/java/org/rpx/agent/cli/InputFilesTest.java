package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rpx.agent.arrays.NpyFiles.dict;
import static org.rpx.agent.arrays.NpyFiles.npy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rpx.agent.arrays.NpyFiles;
import org.rpx.agent.trace.InputSpec;

class InputFilesTest {
  @TempDir Path folder;

  /** Each array is as long as its name's number. */
  @BeforeEach
  void write() {
    for (String name : List.of("a1.npy", "a2.npy", "b3.npy", "b4.npy", "c5.npy", "a1.npy,a2.npy6"))
      NpyFiles.write(folder.resolve(name), array(name.charAt(name.length() > 6 ? 13 : 1) - '0'));
  }

  @Test
  void oneFileAnOptionIsOneSet() {
    assertThat(lengths("a1.npy", "y=b3.npy")).containsExactly(List.of(0L, 1L, 3L));
    assertThat(sets("a1.npy", "y=b3.npy").get(0))
        .extracting(InputSpec::name)
        .containsExactly("x", null, "y");
  }

  @Test
  void severalFilesTakeTurns() {
    assertThat(lengths("a1.npy,a2.npy", "y=b3.npy,b4.npy"))
        .containsExactly(List.of(0L, 1L, 3L), List.of(0L, 2L, 4L));
    // One file is in every set.
    assertThat(lengths("c5.npy", "a1.npy,a2.npy"))
        .containsExactly(List.of(0L, 5L, 1L), List.of(0L, 5L, 2L));
  }

  @Test
  void aFileMayHaveACommaInItsName() {
    assertThat(lengths("a1.npy,a2.npy6")).containsExactly(List.of(0L, 6L));
  }

  @Test
  void numbersThatDoNotGoTogetherAreRefused() {
    assertThatThrownBy(() -> sets("a1.npy,a2.npy", "b3.npy,b4.npy,c5.npy"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("--input-file", "names 2 files", " 3: ", "one for all turns");
    assertThatThrownBy(() -> sets("a1.npy,")).hasMessageContaining("has an empty name");
  }

  private List<List<InputSpec>> sets(String... options) {
    InputSpec other = InputSpec.parse("x:0");
    List<String> placed =
        Arrays.stream(options)
            .map(
                o ->
                    o.replaceAll("(^|(?<==)|,(?=[abc].\\.npy(,|$)))(?=[abc])", "$1" + folder + "/"))
            .toList();
    return InputFiles.sets(List.of(other), placed);
  }

  private List<List<Long>> lengths(String... options) {
    return sets(options).stream()
        .map(set -> set.stream().map(i -> ((InputSpec.Tensor) i).shape().get(0)).toList())
        .toList();
  }

  private static byte[] array(int length) {
    return npy(1, dict("|i1", false, "(" + length + ",)"), new int[length]);
  }
}
