package org.rpx.agent.exported;

/**
 * Where a weight lies.
 *
 * @param path of its bytes in the archive; weights of one path share memory
 * @param parameter or else a buffer or constant
 * @param object whether the bytes are a Python object of its own (a tensor's subclass), which only
 *     Python can make a tensor of
 * @param region where they are no member of the archive but lie inside one; else null
 */
record Payload(String path, boolean parameter, TensorMeta meta, boolean object, Region region) {

  /** Bytes of the file as they are. */
  record Region(long offset, long size) {}
}
