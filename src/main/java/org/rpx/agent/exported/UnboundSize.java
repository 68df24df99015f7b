package org.rpx.agent.exported;

/** A size that does not follow from the inputs' shapes: values decide it. */
final class UnboundSize extends GraphException {
  private static final long serialVersionUID = 1;

  UnboundSize(String what) {
    super(what);
  }
}
