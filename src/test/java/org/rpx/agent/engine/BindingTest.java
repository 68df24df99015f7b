package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Test;

/** What JavaCPP loads for which build of bytedeco's LibTorch. */
class BindingTest {
  private static List<String> preloads(String extension) {
    Properties platform = (Properties) Loader.loadProperties("linux-x86_64", null).clone();
    platform.setProperty("platform.extension", extension);
    return Loader.loadProperties(Binding.class, platform, false).get("platform.preload");
  }

  @Test
  void theBuildWithCudaFindsItsRuntimeLoaded() {
    assertThat(preloads("-gpu")).containsSubsequence("cudart@.13", "cupti@.13", "torch_cpu");
  }

  @Test
  void bothHaveTheRestInTheSameOrder() {
    List<String> plain = preloads("");

    assertThat(plain).startsWith("rpxenv").endsWith("torch_cpu").doesNotContain("cudart@.13");
    assertThat(preloads("-gpu")).containsSubsequence(plain);
  }
}
