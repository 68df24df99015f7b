package org.rpx.agent.exported;

/**
 * An argument that names a choice of LibTorch's.
 *
 * @param kind of choice
 * @param code the number that torch.export writes for it; 0 for a device
 * @param device as "cuda:0"; null for the others
 */
record Code(Kind kind, long code, String device) {
  enum Kind {
    DTYPE,
    LAYOUT,
    MEMORY_FORMAT,
    DEVICE
  }

  static Code of(Kind kind, long code) {
    return new Code(kind, code, null);
  }

  static Code device(String name) {
    return new Code(Kind.DEVICE, 0, name);
  }
}
