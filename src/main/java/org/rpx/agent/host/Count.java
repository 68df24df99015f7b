package org.rpx.agent.host;

import java.util.Map;

/**
 * How much of something there was during a stretch: events, or energy.
 *
 * @param name what it is, as {@code gc.collections}
 * @param unit of the amount; empty for a plain count
 * @param source the file or the library that tells it
 * @param state whether it could be read at both ends
 * @param reason why there is no amount; null where there is one
 * @param amount null unless the state is ok
 */
public record Count(
    String name, String unit, String source, State state, String reason, Double amount) {

  /** From two readings of a counter that only grows. */
  static Count between(Reading start, Reading end) {
    Reading bad = start.number() == null ? start : end;
    if (bad.number() == null) {
      return new Count(end.name(), end.unit(), bad.source(), bad.state(), bad.reason(), null);
    }
    double amount = end.number() - start.number();
    return amount >= 0
        ? new Count(end.name(), end.unit(), end.source(), State.OK, null, amount)
        : none(end.name(), end.unit(), end.source(), "the counter was set back meanwhile");
  }

  static Count none(String name, String unit, String source, String reason) {
    return new Count(name, unit, source, State.UNSUPPORTED, reason, null);
  }

  /** {@code amount}, {@code unit}, {@code state}, {@code source} and, without one, the reason. */
  Map<String, Object> toMap() {
    return Reading.map("amount", amount, unit, state, source, reason);
  }
}
