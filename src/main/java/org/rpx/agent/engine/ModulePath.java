package org.rpx.agent.engine;

import java.util.Set;
import java.util.StringJoiner;

/** Where in the model an op was called, from the call stack of TorchScript's interpreter. */
final class ModulePath {
  /** Names of frames that are the model itself, or a method called on the same module. */
  private static final Set<String> SAME_MODULE = Set.of("TOP", "SELF");

  private ModulePath() {}

  /**
   * "layer1.0.conv1" of the frames "TOP(Net)::forward", "layer1(Sequential)::forward", "0(Block)…",
   * joined by tabs; "" where all of them are the model's own.
   */
  static String of(String frames) {
    StringJoiner path = new StringJoiner(".");
    for (String frame : frames.split("\t")) {
      // A plain function has no type: "CALL_FUNCTION::relu()::relu".
      int type = frame.indexOf('(');
      int method = frame.indexOf("::");
      if (type <= 0 || method < type) continue;
      String name = frame.substring(0, type);
      if (!SAME_MODULE.contains(name)) path.add(name);
    }
    return path.toString();
  }
}
