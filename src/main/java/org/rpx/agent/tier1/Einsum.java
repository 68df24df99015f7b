package org.rpx.agent.tier1;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of an einsum, operands taken in pairs from left to right. An index that one operand alone
 * has is summed first, free; a pair counts 2 x the product of its index sizes if it contracts one
 * of more than one element, else 0.
 */
final class Einsum {
  private Einsum() {}

  static long flops(String equation, List<TensorInfo> operands) {
    String[] sides = equation.replace(" ", "").split("->", -1);
    String[] terms = sides[0].split(",", -1);
    if (terms.length != operands.size())
      throw new IllegalArgumentException("operands of " + equation);

    List<Map<Integer, Long>> sizes = new ArrayList<>();
    for (int i = 0; i < terms.length; i++) sizes.add(indices(terms[i], operands.get(i)));
    Set<Integer> kept = output(sides, sizes);

    long total = 0;
    Map<Integer, Long> left = sizes.get(0);
    for (int i = 1; i < sizes.size(); i++) {
      Map<Integer, Long> right = sizes.get(i);
      Set<Integer> later = new HashSet<>(kept);
      for (Map<Integer, Long> rest : sizes.subList(i + 1, sizes.size()))
        later.addAll(rest.keySet());
      Map<Integer, Long> both = new LinkedHashMap<>();
      keep(both, left, right, later);
      keep(both, right, left, later);
      long product = 1;
      boolean contracts = false;
      Map<Integer, Long> result = new LinkedHashMap<>();
      for (var entry : both.entrySet()) {
        product = Math.multiplyExact(product, entry.getValue());
        if (later.contains(entry.getKey())) result.put(entry.getKey(), entry.getValue());
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
      Set<Integer> later) {
    one.forEach(
        (index, size) -> {
          if (other.containsKey(index) || later.contains(index)) into.merge(index, size, Math::max);
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
    for (char c : letters.toCharArray()) {
      if (arrow || letters.indexOf(c) == letters.lastIndexOf(c)) kept.add((int) c);
    }
    return kept;
  }
}
