package org.rpx.agent.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One argument of a model's forward.
 *
 * @param type as TorchScript writes it: "Tensor", "Dict[str, Tensor]", "int" …
 */
public record Argument(String name, String type, boolean required) {
  private static final Pattern BY_PLACE = Pattern.compile("(?:in|arr_)(\\d{1,6})");

  /**
   * The place that in0, in1 … (or numpy.savez's arr_0, arr_1 …) stands for, where no argument has
   * that name; -1 for any other name, and where there are not as many arguments.
   */
  public static int place(String name, int arguments) {
    Matcher matcher = BY_PLACE.matcher(name);
    int place = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    return place < arguments ? place : -1;
  }
}
