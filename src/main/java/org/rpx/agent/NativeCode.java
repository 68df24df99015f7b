package org.rpx.agent;

import java.nio.file.Path;
import java.util.List;

/**
 * Code that comes with a model and runs with all rights of this process: that of an AOTInductor
 * package, and libraries of custom ops.
 *
 * @param allowed whether any may run
 * @param libraries of custom ops, loaded before the model
 */
public record NativeCode(boolean allowed, List<Path> libraries) {
  /** Nothing but LibTorch. */
  public static final NativeCode NONE = new NativeCode(false, List.of());

  /** Throws IllegalArgumentException where there are libraries that may not run. */
  public NativeCode {
    libraries = List.copyOf(libraries);
    if (!allowed && !libraries.isEmpty())
      throw new IllegalArgumentException(
          libraries.get(0)
              + " (--library) is native code, which runs with all your rights: if you trust it, add"
              + " --allow-native-code");
  }

  /** Throws IllegalArgumentException, naming the option, where a package may not run. */
  void requireFor(String model) {
    if (!allowed)
      throw new IllegalArgumentException(
          model
              + " is an AOTInductor package: native code, which runs with all your rights; if you"
              + " trust it, add --allow-native-code");
  }
}
