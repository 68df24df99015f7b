package org.rpx.agent.exported;

import java.util.List;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/** A number among the inputs that sizes depend on. It is given as a scalar tensor. */
final class InputNumber {
  private InputNumber() {}

  /**
   * The example's value.
   *
   * @param title of the input, for a message
   * @param number as {@link Graph#numbers} has it
   */
  static InputSpec.Tensor sample(String name, String title, Object number) {
    Number value = null;
    if (number instanceof Size size) value = size.value();
    else if (number instanceof Boolean truth) value = truth ? 1L : 0L;
    else if (number instanceof Double real) value = real;
    if (value == null)
      throw new GraphException(
          "the example's value of input "
              + title
              + " is not in the file; give it: --input "
              + written(title, "int64"));
    return new InputSpec.Tensor(name, List.of(), dtype(number), new Values.Fill(value));
  }

  /** Throws InputException where it is no such number. */
  static void check(String path, Object number, InputSpec given) {
    String dtype = dtype(number);
    boolean scalar = given instanceof InputSpec.Tensor t && t.shape().isEmpty();
    if (!scalar || !((InputSpec.Tensor) given).dtype().equals(dtype))
      throw new InputException(
          "input " + path + " is a number; write it as " + written(path, dtype));
    if (((InputSpec.Tensor) given).values() instanceof Values.Range)
      throw new InputException(
          "input "
              + path
              + " is a number that sizes depend on, which cannot be drawn; write it as "
              + written(path, dtype));
  }

  /** A whole number's value. */
  static long value(InputSpec.Tensor given) {
    if (given.values() instanceof Values.Fill fill) return fill.value().longValue();
    if (given.values() instanceof Values.File file) return file.bytes().getLong(0);
    return 0; // what an integer is where nothing is said
  }

  private static String written(String path, String dtype) {
    return path + ":scalar:" + dtype + "=…";
  }

  private static String dtype(Object number) {
    if (number instanceof Boolean) return "bool";
    return number instanceof Double ? "float64" : "int64";
  }
}
