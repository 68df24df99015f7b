package org.rpx.agent.tier1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.TensorInfo;

/**
 * The one table of what each op costs. An op is <em>counted</em> (it has a rule), <em>free</em> by
 * definition (0 FLOPs), or <em>unknown</em>; nothing is counted as 0 in silence. Immutable.
 */
public final class FlopRegistry {
  private static final FlopRegistry STANDARD = standardTable();

  private final Map<String, FlopRule> rules;
  private final Set<String> free;
  private final Set<String> added;

  private FlopRegistry(Map<String, FlopRule> rules, Set<String> free, Set<String> added) {
    this.rules = rules;
    this.free = free;
    this.added = added;
  }

  /** PyTorch's own ops, by the formulas of docs/method.md. */
  public static FlopRegistry standard() {
    return STANDARD;
  }

  /** This table with one more rule, or another one, for an op: "my::op". */
  public FlopRegistry with(String op, FlopRule rule) {
    Map<String, FlopRule> more = new HashMap<>(rules);
    more.put(op, rule);
    Set<String> own = new TreeSet<>(added);
    own.add(op);
    return new FlopRegistry(more, free, own);
  }

  /**
   * This table with rules written as text, each before the table's own for the same op: {@code
   * my::op=2*in0.numel*in1[0]}, by the grammar of docs/method.md, "Own rules". Such a rule leaves a
   * call that it does not fit unknown.
   *
   * @param rules "OP=FORMULA" each; an op without "::" is one of aten's
   * @throws IllegalArgumentException where a text is no rule, has over 10,000 characters or is
   *     nested deeper than 100 levels, and where two are for one op
   */
  public FlopRegistry withFormulas(List<String> rules) {
    return FlopExpression.addTo(this, rules);
  }

  /** The ops whose rule was added to {@link #standard}. */
  public Set<String> added() {
    return Collections.unmodifiableSet(added);
  }

  /** FLOPs of one call: 0 where it is free, null where it is unknown. */
  public Long flops(OpCall call) {
    FlopRule rule = rule(call.name());
    if (rule == null) return free.contains(plain(call.name())) ? 0L : null;
    try {
      long flops = rule.flops(call);
      return flops < 0 ? null : flops;
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Whether there is a rule for an op; one that does not fit a call leaves the call unknown. */
  public boolean hasRule(String op) {
    return rule(op) != null;
  }

  private FlopRule rule(String op) {
    FlopRule rule = rules.get(op);
    return rule != null ? rule : rules.get(plain(op));
  }

  /** Without the marks of in-place and out variants: aten::relu_ → aten::relu. */
  static String plain(String name) {
    if (name.endsWith("__")) return name;
    if (name.endsWith("_")) return name.substring(0, name.length() - 1);
    return name.endsWith("_out") ? name.substring(0, name.length() - 4) : name;
  }

  private static FlopRegistry standardTable() {
    Map<String, FlopRule> rules = new HashMap<>();
    put(rules, c -> Products.linear(c.tensor(0), c.tensor(1)), "linear");
    put(
        rules,
        c -> Products.matmul(c.tensor(0), c.tensor(1)),
        "mm bmm mv dot vdot matmul linalg_matmul _int_mm _scaled_mm");
    put(
        rules,
        c -> Products.matmul(c.tensor(1), c.tensor(2)),
        "addmm baddbmm addbmm addmv _addmm_activation");
    put(rules, c -> Products.inner(c.tensor(0), c.tensor(1)), "inner");
    put(
        rules,
        c -> Products.tensordot(c.tensor(0), c.tensor(1), c.integers(2), c.integers(3)),
        "tensordot");
    put(rules, c -> Einsum.flops(c.string(0), c.tensors(1)), "einsum");
    put(rules, Products::bilinear, "bilinear");
    put(
        rules,
        c -> Products.packedLinear(c.tensor(0), c.result(0)),
        "_weight_int8pack_mm _weight_int4pack_mm _weight_int4pack_mm_for_cpu _mixed_dtypes_linear",
        "_weight_int4pack_mm_with_scales_and_zeros _dyn_quant_matmul_4bit",
        "quantized::linear quantized::linear_relu quantized::linear_leaky_relu quantized::linear_tanh",
        "quantized::linear_dynamic quantized::linear_relu_dynamic quantized::linear_dynamic_fp16",
        "quantized::linear_relu_dynamic_fp16 quantized::linear_dynamic_fp16_unpacked_weight");

    put(
        rules,
        c -> Convolutions.forward(c.result(0), c.tensor(1)),
        "conv1d conv2d conv3d _convolution_mode _nnpack_spatial_convolution thnn_conv2d slow_conv3d",
        "slow_conv_dilated2d slow_conv_dilated3d _conv_depthwise2d conv_depthwise3d _slow_conv2d_forward",
        "slow_conv3d_forward mkldnn_convolution cudnn_convolution cudnn_convolution_relu",
        "cudnn_convolution_add_relu miopen_convolution miopen_depthwise_convolution",
        "miopen_convolution_relu miopen_convolution_add_relu mps_convolution");
    put(
        rules,
        c -> Convolutions.transposed(c.tensor(0), c.tensor(1)),
        "conv_transpose1d conv_transpose2d conv_transpose3d slow_conv_transpose2d slow_conv_transpose3d",
        "cudnn_convolution_transpose miopen_convolution_transpose");
    put(rules, Convolutions::either, "_convolution convolution convolution_overrideable");
    put(rules, Convolutions::timeBatchChannel, "conv_tbc");
    put(
        rules,
        c -> Convolutions.forward(c.result(0), c.tensors(1).get(0)),
        "quantized::conv1d quantized::conv1d_relu quantized::conv2d quantized::conv2d_relu",
        "quantized::conv3d quantized::conv3d_relu",
        "quantized::conv1d_dynamic quantized::conv2d_dynamic quantized::conv3d_dynamic");
    put(
        rules,
        c -> Convolutions.forward(c.result(0), c.tensors(2).get(0)),
        "quantized::conv2d_add quantized::conv2d_add_relu");

    put(
        rules,
        c -> Attention.scaledDotProduct(c.tensor(0), c.tensor(1), c.tensor(2), c.result(0)),
        "scaled_dot_product_attention _scaled_dot_product_attention_math",
        "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_flash_attention",
        "_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_fused_attention_overrideable _scaled_dot_product_attention_math_for_mps");
    put(rules, Attention::multiHead, "_native_multi_head_attention");
    put(rules, Attention::encoderLayer, "_transformer_encoder_layer_fwd");

    put(
        rules,
        c -> Recurrent.layers(c, c.overload().equals("data") ? 3 : 2),
        "lstm gru rnn_tanh rnn_relu");
    put(rules, Recurrent::cell, "lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell");
    return new FlopRegistry(rules, readFree(), Set.of());
  }

  private static void put(Map<String, FlopRule> rules, FlopRule rule, String... names) {
    FlopRule real =
        call -> {
          // A complex product is more than one multiplication, and nobody has settled how many to
          // count.
          for (TensorInfo t : OpTrace.tensors(call.arguments())) {
            if (t.dtype().startsWith("complex")) throw new IllegalArgumentException(t.dtype());
          }
          return rule.flops(call);
        };
    for (String name : String.join(" ", names).split(" ")) rules.put(qualified(name), real);
  }

  private static Set<String> readFree() {
    Set<String> free = new HashSet<>();
    try (InputStream in = FlopRegistry.class.getResourceAsStream("free-ops.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("#")) continue;
        for (String name : line.trim().split(" +")) if (!name.isEmpty()) free.add(qualified(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return free;
  }

  static String qualified(String name) {
    return name.contains("::") ? name : "aten::" + name;
  }
}
