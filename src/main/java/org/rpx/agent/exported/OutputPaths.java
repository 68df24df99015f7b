package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.rpx.agent.exported.InputTree.Branch;
import org.rpx.agent.exported.InputTree.Part;

/** Where in what forward gives back each output lies: "" alone, "1", "logits", "state.0". */
final class OutputPaths {
  private OutputPaths() {}

  /**
   * One path for each of {@code outputs}; their places where the file does not tell how they are
   * nested.
   */
  static List<String> of(String tree, int outputs) {
    Part root = InputTree.read(tree);
    List<String> paths = new ArrayList<>();
    if (root != null) add(root, "", paths);
    if (paths.size() == outputs) return paths;
    return outputs == 1
        ? List.of("")
        : IntStream.range(0, outputs).mapToObj(String::valueOf).toList();
  }

  private static void add(Part part, String path, List<String> into) {
    if (!(part instanceof Branch branch)) {
      into.add(path);
      return;
    }
    for (int i = 0; i < branch.items().size(); i++) {
      String key = branch.kind().equals("dict") ? branch.keys().get(i) : String.valueOf(i);
      add(branch.items().get(i), path.isEmpty() ? key : path + "." + key, into);
    }
  }
}
