package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.trace.InputSpec;

class InputAdviceTest {
  /** Tokens of a vocabulary of 100. */
  @Test
  void indicesAreDrawnFromTheWholeTable() {
    ModelSource model = ModelSource.of(Path.of("src/test/resources/models/int64_tokens.pt"));
    Plan floats = Plan.counting().withInputs(List.of(InputSpec.parse("2x6")));

    NativeException e =
        catchThrowableOfType(NativeException.class, () -> Rpx.profile(model, floats));

    assertThat(e).hasMessageEndingWith("; try --input 1x16:int64=0..100");
  }
}
