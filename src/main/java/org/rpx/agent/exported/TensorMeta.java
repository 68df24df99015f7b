package org.rpx.agent.exported;

import java.util.List;

/**
 * What the file says of a tensor.
 *
 * @param device as "cuda:0"; two tensors of one text lie on one device
 * @param strided false where it is sparse or opaque, so that strides mean nothing
 */
record TensorMeta(
    Dtype dtype,
    List<Size> sizes,
    List<Size> strides,
    Size offset,
    boolean requiresGrad,
    String device,
    boolean strided) {}
