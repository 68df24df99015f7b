package org.rpx.agent.tier1;

import org.rpx.agent.trace.TensorInfo;

/** What one op put into one storage: it is there until another op writes to it. */
final class Value {
  private final long id;
  private final Kernel maker;
  private final long changed;
  private final long bytes;
  private boolean readInside;
  private boolean readOutside;

  /**
   * @param id stands for its storage; -1 where it has none
   * @param maker null where it was there before the forward call
   * @param changed bytes that the op wrote
   * @param before bytes of what was in the storage before, 0 where it is new
   */
  Value(long id, Kernel maker, long changed, long before) {
    this.id = id;
    this.maker = maker;
    this.changed = changed;
    this.bytes = Math.max(changed, before);
  }

  Kernel maker() {
    return maker;
  }

  /** Bytes that it has, those that an earlier op made included. */
  long bytes() {
    return bytes;
  }

  void readBy(Kernel reader) {
    if (reader == maker) readInside = true;
    else readOutside = true;
  }

  /**
   * Bytes that its maker writes: none where only its own later ops read it. What is changed in part
   * is in memory in any case.
   */
  long written() {
    return readOutside || !readInside || changed < bytes ? changed : 0;
  }

  /** Whether an operand is all of it, and its maker made all of it. */
  boolean isAllOf(TensorInfo operand) {
    return changed == bytes && operand.stored() * operand.itemBytes() == bytes;
  }

  /** An operand as part of this value instead of its storage, which may hold others too. */
  TensorInfo as(TensorInfo operand) {
    return new TensorInfo(
        operand.dtype(),
        operand.itemBytes(),
        id,
        operand.offset(),
        operand.storageBytes(),
        operand.sizes(),
        operand.strides());
  }
}
