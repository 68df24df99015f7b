package org.rpx.agent.tier1;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * FLOP rules written as text: {@code my::op=2*in0.numel*in1[0]}. docs/method.md, "Own rules", has
 * the grammar.
 */
final class FlopExpression {
  private FlopExpression() {}

  /**
   * Reads a formula, the part of a rule after its "=". What it returns gives the FLOPs of a call,
   * and throws a RuntimeException where it does not fit the call: a tensor, size or argument that
   * is not there, a division by 0, a step past 64 bits, a negative result.
   *
   * @throws IllegalArgumentException where the text is no formula, has over 10,000 characters, or
   *     is nested deeper than 100 levels
   */
  static FlopRule parse(String formula) {
    return new FlopExpressionParser(new FlopExpressionText(formula)).whole();
  }

  /**
   * Reads a rule, "my::op=formula", into the op's name and its FLOPs. A name without "::" is one of
   * aten's.
   *
   * @throws IllegalArgumentException as {@link #parse}, and where the name is malformed
   */
  static Map.Entry<String, FlopRule> rule(String text) {
    FlopExpressionText rest = new FlopExpressionText(text);
    String name = FlopExpressionParser.op(rest);
    return Map.entry(name, new FlopExpressionParser(rest).whole());
  }

  /** As {@link FlopRegistry#withFormulas} has it. */
  static FlopRegistry addTo(FlopRegistry registry, List<String> rules) {
    Set<String> ops = new HashSet<>();
    FlopRegistry all = registry;
    for (String text : rules) {
      Map.Entry<String, FlopRule> rule = rule(text);
      if (!ops.add(rule.getKey())) {
        throw new FlopExpressionText(text).wrong(rule.getKey() + " has a rule already; keep one");
      }
      all = all.with(rule.getKey(), rule.getValue());
    }
    return all;
  }
}
