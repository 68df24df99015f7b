/** Inputs from files: NumPy arrays and JSON, read into {@link org.rpx.agent.trace.InputSpec}s. */
package org.rpx.agent.inputs;
