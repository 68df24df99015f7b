package org.rpx.agent.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.rpx.agent.trace.InputSpec;

/** Inputs in the layout that native code reads (docs/native.md, "inputs"). */
final class InputRecord {
  private final LongStream.Builder numbers = LongStream.builder();
  private final List<String> words = new ArrayList<>();
  private long[] built;

  void add(InputSpec spec) {
    if (spec instanceof InputSpec.Tensor t) {
      word("tensor");
      word(t.dtype());
      numbers.add(t.shape().size());
      t.shape().forEach(numbers::add);
    } else if (spec instanceof InputSpec.Sequence s) {
      word(s.kind());
      numbers.add(s.items().size());
      s.items().forEach(this::add);
    } else if (spec instanceof InputSpec.Dict d) {
      word("dict");
      numbers.add(d.items().size());
      d.items()
          .forEach(
              (key, item) -> {
                word(key);
                add(item);
              });
    }
  }

  long[] numbers() {
    if (built == null) built = numbers.build().toArray();
    return built;
  }

  String text() {
    return String.join("\n", words);
  }

  private void word(String word) {
    int at = words.indexOf(word);
    if (at < 0) {
      at = words.size();
      words.add(word);
    }
    numbers.add(at);
  }
}
