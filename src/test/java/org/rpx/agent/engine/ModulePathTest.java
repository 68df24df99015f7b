package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModulePathTest {
  /** Frames as LibTorch 2.10 writes them, with '|' for a tab. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          TOP(Net)::forward                                                        ; ''
          TOP(Net)::forward|conv1(Conv2d)::forward|SELF(Conv2d)::_conv_forward     ; conv1
          TOP(Net)::forward|a(A)::forward|0(B)::forward|bn(BatchNorm2d)::forward   ; a.0.bn
          TOP(Net)::forward|relu(ReLU)::forward|CALL_FUNCTION::relu()::relu        ; relu
          TOP(Net)::forward|CALL_FUNCTION::f()::f|b(B)::forward                    ; b
          ::forward                                                                ; ''
          """)
  void namesTheModulesOnTheWay(String frames, String path) {
    assertThat(ModulePath.of(frames.replace('|', '\t'))).isEqualTo(path);
  }
}
