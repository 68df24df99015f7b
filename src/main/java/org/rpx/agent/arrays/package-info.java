/**
 * Inputs from files (JSON, NumPy's and torch.save's arrays), read into {@link
 * org.rpx.agent.trace.InputSpec}s; and tensors written for NumPy.
 */
package org.rpx.agent.arrays;
