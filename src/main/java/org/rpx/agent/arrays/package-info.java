/** NumPy's files: arrays read as {@link org.rpx.agent.trace.InputSpec}s, and tensors written. */
package org.rpx.agent.arrays;
