/** Inputs from files: JSON and arrays, read into {@link org.rpx.agent.trace.InputSpec}s. */
package org.rpx.agent.inputs;
