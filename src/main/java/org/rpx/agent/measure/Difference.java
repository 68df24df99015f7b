package org.rpx.agent.measure;

/**
 * How much longer the second of two takes than the first.
 *
 * @param share second / first - 1: 0.03 is 3 % slower; null where nothing was measured
 * @param interval of {@code share}; null where there is too little to say
 * @param confidence of the interval, as a share; null where it is no interval of confidence, but as
 *     wide as two runs of one program are known to differ
 * @param verdict what it comes to
 * @param reason why there is no interval, or no verdict in spite of one; null otherwise
 */
public record Difference(
    Double share, Interval interval, Double confidence, Verdict verdict, String reason) {

  /** The same without a verdict, for a reason. */
  public Difference inconclusive(String because) {
    return new Difference(share, interval, confidence, Verdict.INCONCLUSIVE, because);
  }
}
