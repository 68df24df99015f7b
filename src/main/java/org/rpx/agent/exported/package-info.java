/**
 * Files of PyTorch's read without LibTorch: a torch.export archive ({@code .pt2}), whose graph
 * becomes the trace that tier 1 counts; an AOTInductor package; inputs of torch.save. Nothing of a
 * file is run, and no weight of a program is read.
 */
package org.rpx.agent.exported;
