package org.rpx.agent.arrays;

/**
 * What a person wants to see of an array. Immutable.
 *
 * @param least and most: a Double, or a Long of integers and truth values; null where there is no
 *     number
 * @param mean of all elements that are not NaN; null where there is none
 * @param nans elements that are NaN
 */
public record ArraySummary(Number least, Double mean, Number most, long nans) {

  /** Of an array; null of complex numbers, which have no order, and uint64, which Java has not. */
  public static ArraySummary of(NamedArray array) {
    if (array.dtype().startsWith("complex") || array.dtype().equals("uint64")) return null;
    Elements elements = new Elements(array);
    int count = array.bytes().remaining() / NpyDtype.itemBytes(array.name(), array.dtype());
    return array.dtype().contains("float") ? real(elements, count) : whole(elements, count);
  }

  private static ArraySummary real(Elements elements, int count) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    double sum = 0;
    int numbers = 0;
    for (int i = 0; i < count; i++) {
      double value = elements.real(i);
      if (Double.isNaN(value)) continue;
      numbers++;
      sum += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (numbers == 0) return new ArraySummary(null, null, null, count);
    return new ArraySummary(least, sum / numbers, most, count - numbers);
  }

  private static ArraySummary whole(Elements elements, int count) {
    if (count == 0) return new ArraySummary(null, null, null, 0);
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      long value = elements.whole(i);
      sum += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    return new ArraySummary(least, sum / count, most, 0);
  }
}
