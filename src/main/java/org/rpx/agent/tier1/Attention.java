package org.rpx.agent.tier1;

import static java.lang.Math.addExact;
import static java.lang.Math.multiplyExact;

import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * FLOPs of attention: two products over all query-key pairs. Causal masks are not halved, masks
 * cost nothing.
 */
final class Attention {
  private Attention() {}

  /**
   * 2 · B · H · Sq · Sk · (Dqk + Dv). H are the query heads: with grouped queries keys are shared,
   * the products are not. The result (…, Sq, Dv) has the broadcast batch.
   */
  static long scaledDotProduct(TensorInfo q, TensorInfo k, TensorInfo v, TensorInfo result) {
    if (result.size(-1) == 0) return 0;
    long queries = result.elements() / result.size(-1);
    return Products.twice(
        multiplyExact(multiplyExact(queries, k.size(-2)), addExact(q.size(-1), v.size(-1))));
  }

  /**
   * _native_multi_head_attention(query, key, value, embed_dim, …): four projections and the
   * attention between.
   */
  static long multiHead(OpCall call) {
    TensorInfo query = call.tensor(0);
    return block(query.size(0), query.size(1), call.tensor(1).size(1), call.integer(3));
  }

  /**
   * _transformer_encoder_layer_fwd(src, embed_dim, …, ffn weights at 14 and 16): self-attention,
   * then two linears.
   */
  static long encoderLayer(OpCall call) {
    TensorInfo source = call.tensor(0);
    long rows = multiplyExact(source.size(0), source.size(1));
    long weights = addExact(call.tensor(14).elements(), call.tensor(16).elements());
    return addExact(
        block(source.size(0), source.size(1), source.size(1), call.integer(1)),
        Products.twice(multiplyExact(rows, weights)));
  }

  private static long block(long batch, long queries, long keys, long width) {
    long projections = multiplyExact(addExact(queries, keys) * 2, multiplyExact(width, width));
    long scores = multiplyExact(multiplyExact(queries, keys), 2 * width);
    return Products.twice(multiplyExact(batch, addExact(projections, scores)));
  }
}
