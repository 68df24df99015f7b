package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rpx.agent.engine.LibTorch;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.trace.InputSpec;

/** What a run does beside the model, before it is timed and while it is. */
class SessionWorkloadTest {
  // A convolution's output of 9.8 MB: asked for before it is taken, as long as runs ask.
  private static final Plan PLAN =
      Plan.defaults().withInputs(List.of(InputSpec.tensor("float32", 1, 3, 480, 640)));

  @AfterEach
  void liftTheLimit() {
    LibTorch.hostRoom(null);
  }

  /** To ask takes microseconds for each large tensor: 3 % of a ResNet-50. */
  @Test
  void timedRunsDoNotAskWhetherThereIsMemory() {
    ModelSource source = ModelSource.of(Path.of("src/test/resources/models/bn_train.pt"));
    try (LoadedModel model = LoadedModel.of(source, PLAN, new Watch() {})) {
      LibTorch.hostRoom(0L);
      assertThatThrownBy(model::firstRun)
          .isInstanceOf(NativeException.class)
          .hasMessageContaining("not enough memory");
      SessionWorkload workload = new SessionWorkload(model, false);
      assertThat(workload.time(3, Duration.ofMinutes(1)).count()).isEqualTo(3);
    }
  }
}
