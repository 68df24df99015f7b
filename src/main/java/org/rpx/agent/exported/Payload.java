package org.rpx.agent.exported;

/**
 * Where a weight lies.
 *
 * @param path of its bytes in the archive; weights of one path share memory
 * @param parameter or else a buffer or constant
 */
record Payload(String path, boolean parameter, TensorMeta meta) {}
