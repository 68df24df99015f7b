package org.rpx.agent.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.bytedeco.javacpp.BytePointer;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.Values;

/**
 * Inputs in the layout that native code reads (docs/native.md, "inputs"). Addresses in it are valid
 * until it is closed.
 */
final class InputRecord implements AutoCloseable {
  private final LongStream.Builder numbers = LongStream.builder();
  private final Map<String, Integer> words = new LinkedHashMap<>();
  private final List<BytePointer> data = new ArrayList<>();
  private long[] built;

  void add(InputSpec spec) {
    if (spec instanceof InputSpec.Tensor t) {
      tensor(t);
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

  /** What is added from here on is another set. */
  void nextSet() {
    word("set");
  }

  private void tensor(InputSpec.Tensor tensor) {
    Values values = tensor.values();
    if (values instanceof Values.Fill fill) {
      shape("fill", tensor);
      boolean real = tensor.dtype().contains("float");
      double number = fill.value().doubleValue();
      numbers.add(real ? Double.doubleToRawLongBits(number) : fill.value().longValue());
    } else if (values instanceof Values.Range range) {
      shape("range", tensor);
      numbers.add(range.low());
      numbers.add(range.high());
    } else if (values instanceof Values.File file) {
      // The buffer's own memory; of one on the Java heap a copy.
      BytePointer bytes = new BytePointer(file.bytes());
      data.add(bytes);
      shape("data", tensor);
      numbers.add(bytes.address());
      numbers.add(file.bytes().remaining());
    } else {
      shape("tensor", tensor);
    }
  }

  private void shape(String kind, InputSpec.Tensor tensor) {
    word(kind);
    word(tensor.dtype());
    numbers.add(tensor.shape().size());
    tensor.shape().forEach(numbers::add);
  }

  long[] numbers() {
    if (built == null) built = numbers.build().toArray();
    return built;
  }

  String text() {
    return String.join("\n", words.keySet());
  }

  @Override
  public void close() {
    data.forEach(BytePointer::close);
  }

  private void word(String word) {
    Integer at = words.putIfAbsent(word, words.size());
    numbers.add(at == null ? words.size() - 1 : at);
  }
}
