package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.Program.Binding;
import org.rpx.agent.exported.Symbols.Given;
import org.rpx.agent.trace.InputSpec;

/** Binds a program's symbols to the shapes of its inputs. */
final class InputSizes {
  private InputSizes() {}

  /**
   * Binds them.
   *
   * @param tensors by the graph's names for them
   */
  static Symbols bind(Program program, Map<String, InputSpec.Tensor> tensors) {
    List<Given> sizes = new ArrayList<>();
    tensors.forEach(
        (name, tensor) -> {
          List<Size> wanted = program.graph().tensors().get(name).sizes();
          for (int i = 0; i < wanted.size(); i++)
            sizes.add(
                new Given(
                    "dimension " + i + " of input " + name, wanted.get(i), tensor.shape().get(i)));
        });
    // A number among the inputs is what it was in the example.
    for (Binding input : program.inputs()) {
      if (input.fromUser()
          && input.value() instanceof SymbolReference s
          && program.graph().numbers().get(s.name()) instanceof Size size
          && size.value() != null) sizes.add(new Given("input " + s.name(), size, size.value()));
    }
    return Symbols.bind(sizes, program.ranges());
  }
}
