/**
 * LibTorch in this process, over a native facade (docs/native.md). All else of the library stands
 * on it; the package {@link org.rpx.agent} is what programs begin with.
 */
package org.rpx.agent.engine;
