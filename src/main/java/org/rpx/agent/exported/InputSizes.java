package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.Symbols.Given;
import org.rpx.agent.trace.InputSpec;

/** Binds a program's symbols to its inputs. */
final class InputSizes {
  private InputSizes() {}

  /**
   * Binds them.
   *
   * @param given by the graph's names: tensors, and numbers as scalars
   */
  static Symbols bind(Program program, Map<String, InputSpec.Tensor> given) {
    List<Given> sizes = new ArrayList<>();
    Graph graph = program.graph();
    given.forEach(
        (name, tensor) -> {
          if (graph.tensors().containsKey(name)) dimensions(name, graph, tensor, sizes);
          else if (graph.numbers().get(name) instanceof Size size)
            sizes.add(new Given("input " + name, size, InputNumber.value(tensor)));
        });
    return Symbols.bind(sizes, program.ranges());
  }

  private static void dimensions(
      String name, Graph graph, InputSpec.Tensor tensor, List<Given> into) {
    List<Size> wanted = graph.tensors().get(name).sizes();
    for (int i = 0; i < wanted.size(); i++)
      into.add(
          new Given("dimension " + i + " of input " + name, wanted.get(i), tensor.shape().get(i)));
  }
}
