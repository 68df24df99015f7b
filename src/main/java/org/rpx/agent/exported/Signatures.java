package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The argument names of the ops that multiply and sum, in their schema's order. A graph leaves out
 * arguments that have their default, and counting rules read arguments by position; for all other
 * ops the file's order, which is the schema's with gaps, does.
 */
final class Signatures {
  private static final Map<String, List<String>> NAMES = names();

  private Signatures() {}

  /** Whether the op is a product: one that has FLOPs. */
  static boolean product(String op) {
    return NAMES.containsKey(op) || op.startsWith("quantized::linear");
  }

  /** Values in the schema's order, null where one is not given. {@code values} go with inputs. */
  static List<Object> place(Node node, List<Object> values) {
    List<String> names = NAMES.get(node.op() + "." + node.overload());
    if (names == null) names = NAMES.get(node.op());
    if (names == null) return values;
    List<Object> placed = new ArrayList<>();
    List<Object> rest = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      int at = names.indexOf(node.inputs().get(i).name());
      if (at < 0) {
        rest.add(values.get(i));
        continue;
      }
      while (placed.size() <= at) placed.add(null);
      placed.set(at, values.get(i));
    }
    placed.addAll(rest);
    return placed;
  }

  private static Map<String, List<String>> names() {
    Map<String, List<String>> all = new HashMap<>();
    put(all, "linear", "input weight bias");
    put(all, "mm bmm _int_mm", "self mat2 out_dtype");
    put(all, "mv", "self vec");
    put(all, "dot", "self tensor");
    put(all, "vdot matmul linalg_matmul inner", "self other");
    put(all, "_scaled_mm", "self mat2 scale_a scale_b bias scale_result out_dtype use_fast_accum");
    put(all, "addmm _addmm_activation", "self mat1 mat2 beta alpha use_gelu");
    put(all, "baddbmm addbmm", "self batch1 batch2 beta alpha");
    put(all, "addmv", "self mat vec beta alpha");
    put(all, "tensordot", "self other dims_self dims_other");
    put(all, "einsum", "equation tensors path");
    put(all, "bilinear", "input1 input2 weight bias");
    put(all, "_weight_int8pack_mm", "self mat2 scales");
    put(
        all,
        "_weight_int4pack_mm _weight_int4pack_mm_for_cpu",
        "self mat2 qGroupSize qScaleAndZeros");
    put(
        all,
        "conv1d conv2d conv3d _convolution_mode",
        "input weight bias stride padding dilation groups");
    put(
        all,
        "conv_transpose1d conv_transpose2d conv_transpose3d",
        "input weight bias stride padding output_padding groups dilation");
    put(
        all,
        "_convolution convolution convolution_overrideable",
        "input weight bias stride padding dilation transposed output_padding groups",
        "benchmark deterministic cudnn_enabled allow_tf32");
    put(all, "conv_tbc", "self weight bias pad");
    put(
        all,
        "scaled_dot_product_attention",
        "query key value attn_mask dropout_p is_causal scale enable_gqa");
    put(
        all,
        "_scaled_dot_product_attention_math _scaled_dot_product_flash_attention_for_cpu"
            + " _scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention"
            + " _scaled_dot_product_cudnn_attention"
            + " _scaled_dot_product_fused_attention_overrideable",
        "query key value");
    put(all, "_native_multi_head_attention", "query key value embed_dim num_head");
    put(
        all,
        "_transformer_encoder_layer_fwd",
        "src embed_dim num_heads qkv_weight qkv_bias proj_weight proj_bias use_gelu norm_first eps",
        "norm_weight_1 norm_bias_1 norm_weight_2 norm_bias_2",
        "ffn_weight_1 ffn_bias_1 ffn_weight_2 ffn_bias_2 mask mask_type");
    String layers = "has_biases num_layers dropout train bidirectional batch_first";
    put(all, "lstm gru rnn_tanh rnn_relu", "input hx params", layers);
    put(
        all,
        "lstm.data gru.data rnn_tanh.data rnn_relu.data",
        "data batch_sizes hx params",
        layers);
    put(all, "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell", "input hx w_ih w_hh b_ih b_hh");
    return all;
  }

  private static void put(Map<String, List<String>> all, String ops, String... names) {
    List<String> list = Arrays.asList(String.join(" ", names).split(" "));
    for (String op : ops.split(" ")) all.put("aten::" + op, list);
  }
}
