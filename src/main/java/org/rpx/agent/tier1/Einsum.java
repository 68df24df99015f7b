package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of an einsum, operands taken in pairs from left to right. An index that one operand alone
 * has is summed first, free; a pair counts 2 x the product of its index sizes if it contracts one
 * of more than one element, else 0.
 */
final class Einsum {
  /** PyTorch has 52 letters, and an ellipsis of up to 64 dimensions. */
  private static final int MOST_INDICES = 116;

  private Einsum() {}

  static long flops(String equation, List<TensorInfo> operands) {
    String[] sides = equation.replace(" ", "").split("->", -1);
    String[] terms = sides[0].split(",", -1);
    if (terms.length != operands.size())
      throw new IllegalArgumentException("operands of " + equation);

    List<Map<Integer, Long>> sizes = new ArrayList<>();
    for (int i = 0; i < terms.length; i++) sizes.add(indices(terms[i], operands.get(i)));
    // Up to which operand an index is wanted. Sets of what is left would be quadratic.
    Map<Integer, Integer> last = new HashMap<>();
    for (int i = 0; i < sizes.size(); i++)
      for (int index : sizes.get(i).keySet()) last.put(index, i);
    for (int index : output(sides, sizes)) last.put(index, sizes.size());

    long total = 0;
    Map<Integer, Long> left = sizes.get(0);
    for (int i = 1; i < sizes.size(); i++) {
      Map<Integer, Long> right = sizes.get(i);
      int now = i;
      IntPredicate later = index -> last.getOrDefault(index, 0) > now;
      Map<Integer, Long> both = new LinkedHashMap<>();
      keep(both, left, right, later);
      keep(both, right, left, later);
      if (both.size() > MOST_INDICES) throw new IllegalArgumentException("indices of " + equation);
      long product = 1;
      boolean contracts = false;
      Map<Integer, Long> result = new LinkedHashMap<>();
      for (var entry : both.entrySet()) {
        product = Math.multiplyExact(product, entry.getValue());
        if (later.test(entry.getKey())) result.put(entry.getKey(), entry.getValue());
        else contracts |= entry.getValue() > 1;
      }
      if (contracts) total = Math.addExact(total, Products.twice(product));
      left = result;
    }
    return total;
  }

  /**
   * Of one operand's indices those that the other has, or that are wanted later; the rest is summed
   * away before.
   */
  private static void keep(
      Map<Integer, Long> into,
      Map<Integer, Long> one,
      Map<Integer, Long> other,
      IntPredicate later) {
    one.forEach(
        (index, size) -> {
          if (other.containsKey(index) || later.test(index)) into.merge(index, size, Math::max);
        });
  }

  /**
   * Index → size. Dimensions behind an ellipsis are numbered from the right: -1, -2 …, so that they
   * broadcast.
   */
  private static Map<Integer, Long> indices(String term, TensorInfo operand) {
    Map<Integer, Long> sizes = new LinkedHashMap<>();
    String letters = term.replace("...", "");
    int hidden = operand.rank() - letters.length();
    if (hidden < 0 || (hidden > 0 && !term.contains("...")))
      throw new IllegalArgumentException(term);
    int dimension = 0;
    for (int i = 0; i < term.length(); i++) {
      if (term.charAt(i) == '.') {
        for (int h = hidden; h > 0; h--) sizes.merge(-h, operand.size(dimension++), Math::max);
        i += 2;
      } else {
        sizes.merge((int) term.charAt(i), operand.size(dimension++), Math::max);
      }
    }
    // As torch.einsum has it: one that is only broadcast is not this operand's.
    sizes.values().removeIf(size -> size == 1);
    return sizes;
  }

  /**
   * The indices that stay: those right of the arrow, or, without one, those that occur once, and
   * all behind an ellipsis.
   */
  private static Set<Integer> output(String[] sides, List<Map<Integer, Long>> sizes) {
    Set<Integer> kept = new HashSet<>();
    boolean arrow = sides.length > 1;
    if (!arrow || sides[1].contains("...")) {
      for (Map<Integer, Long> operand : sizes)
        for (int index : operand.keySet()) if (index < 0) kept.add(index);
    }
    String letters =
        arrow ? sides[1].replace("...", "") : sides[0].replace("...", "").replace(",", "");
    Map<Integer, Integer> times = new HashMap<>();
    letters.chars().forEach(c -> times.merge(c, 1, Integer::sum));
    times.forEach(
        (c, n) -> {
          if (arrow || n == 1) kept.add(c);
        });
    return kept;
  }
}
