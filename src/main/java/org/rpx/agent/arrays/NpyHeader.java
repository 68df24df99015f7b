package org.rpx.agent.arrays;

import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What an .npy file says of its array.
 *
 * @param dtype PyTorch's name
 * @param itemBytes of one element
 * @param order of the bytes of an element
 * @param fortran whether the first dimension, and not the last, is innermost
 */
record NpyHeader(String dtype, int itemBytes, ByteOrder order, boolean fortran, List<Long> shape) {

  /** Of the packed array: sizes of a file that is not to be believed have any product. */
  BigInteger bytes() {
    BigInteger bytes = BigInteger.valueOf(itemBytes);
    for (long size : shape) bytes = bytes.multiply(BigInteger.valueOf(size));
    return bytes;
  }

  /** Whether the array lies in the file as in a tensor's memory. */
  boolean isAsInMemory() {
    boolean oneByte = itemBytes == 1;
    boolean oneOrder = shape.size() < 2;
    return (oneByte || order == ByteOrder.nativeOrder()) && (oneOrder || !fortran);
  }
}
