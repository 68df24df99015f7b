/**
 * A torch.export archive ({@code .pt2}) read without LibTorch: its graph becomes the trace that
 * tier 1 counts. Nothing is run and no weight is read.
 */
package org.rpx.agent.exported;
