package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers and words as native code reads them (docs/native.md, layout "program"). */
final class FlatLayout {
  private final Map<String, Integer> words = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private long[] numbers = new long[1024];
  private int count;

  /** Adds one; its place. */
  int number(long n) {
    if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count);
    numbers[count] = n;
    return count++;
  }

  /** Sets one that was not known yet. */
  void set(int at, long n) {
    numbers[at] = n;
  }

  void flag(boolean set) {
    number(set ? 1 : 0);
  }

  void word(String word) {
    Integer at = words.putIfAbsent(word, order.size());
    if (at == null) order.add(word);
    number(at == null ? order.size() - 1 : at);
  }

  long[] numbers() {
    return Arrays.copyOf(numbers, count);
  }

  List<String> words() {
    return List.copyOf(order);
  }
}
