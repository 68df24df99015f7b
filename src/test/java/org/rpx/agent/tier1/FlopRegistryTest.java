package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;
import static org.rpx.agent.tier1.Calls.args;
import static org.rpx.agent.tier1.Calls.call;
import static org.rpx.agent.tier1.Calls.longs;
import static org.rpx.agent.tier1.Calls.tensor;
import static org.rpx.agent.tier1.Calls.typed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.OpCall;
import org.rpx.agent.trace.TensorInfo;

/**
 * The right values are worked out by hand, one MAC (2 FLOPs) for each product that is summed by the
 * op's definition in PyTorch's documentation. Where a value is given as MACs, it is doubled here.
 * Arguments stand in the order of the op's schema in PyTorch.
 */
class FlopRegistryTest {
  private static final FlopRegistry STANDARD = FlopRegistry.standard();

  @ParameterizedTest
  @MethodSource({"products", "convolutions", "transposed", "attention", "recurrent"})
  void counts(OpCall call, long flops) {
    assertThat(STANDARD.flops(call)).isEqualTo(flops);
  }

  static Stream<Arguments> products() {
    TensorInfo x = tensor(2, 73);
    TensorInfo w = tensor(73, 256);
    TensorInfo b3 = tensor(5, 2, 3);
    TensorInfo b4 = tensor(5, 3, 4);
    return Stream.of(
        op("mm", args(x, w), 74_752),
        op("mm", args(x, w), 2 * 2 * 73 * 256),
        op("_int_mm", args(typed("int8", 17, 8), typed("int8", 8, 16)), 2 * 17 * 8 * 16),
        op("_scaled_mm", args(x, w, tensor(), tensor()), 2 * 2 * 73 * 256),
        op("bmm", args(b3, b4), 2 * 5 * 2 * 3 * 4),
        op("mm", args(tensor(2, 1), tensor(1, 4)), 2 * 2 * 4),
        op("mv", args(tensor(4, 8), tensor(8)), 2 * 4 * 8),
        op("dot", args(tensor(8), tensor(8)), 2 * 8),
        op("vdot", args(tensor(8), tensor(8)), 2 * 8),
        op("mm", args(tensor(0, 3), tensor(3, 4)), 0),
        // A vector is a row or a column.
        op("matmul", args(tensor(8), tensor(8)), 2 * 8),
        op("matmul", args(tensor(4, 8), tensor(8)), 2 * 32),
        op("matmul", args(tensor(8), tensor(8, 4)), 2 * 32),
        op("matmul", args(tensor(3, 4, 8), tensor(8)), 2 * 3 * 32),
        op("matmul", args(tensor(8), tensor(3, 8, 4)), 2 * 3 * 32),
        // Leading sizes broadcast.
        op("matmul", args(tensor(2, 1, 4, 8), tensor(3, 8, 5)), 2 * 960),
        op("matmul", args(tensor(3, 8, 5), tensor(2, 1, 5, 8)), 2 * 2 * 3 * 8 * 5 * 8),
        op("matmul", args(tensor(6, 7, 2, 3), tensor(3, 4)), 2 * 6 * 7 * 2 * 3 * 4),
        // The product in a fused op, whatever is added to it.
        op("addmm", args(tensor(256), x, w, 1, 1), 74_752),
        op("_addmm_activation", args(tensor(256), x, w, 1, 1, false), 74_752),
        op("baddbmm", args(tensor(5, 2, 4), b3, b4, 1, 1), 2 * 5 * 2 * 3 * 4),
        op("addbmm", args(tensor(2, 4), b3, b4, 1, 1), 2 * 5 * 2 * 3 * 4),
        op("addmv", args(tensor(4), tensor(4, 8), tensor(8), 1, 1), 2 * 4 * 8),
        op("linear", args(x, tensor(256, 73), tensor(256)), 74_752),
        op("linear", args(tensor(1, 22528, 64), tensor(256, 64), null), 2 * 369_098_752L),
        op("linear", args(tensor(20, 1000), tensor(1000, 1000), null), 2 * 20_000_000L),
        op("linear", args(tensor(100), tensor(100, 100), null), 60_000 / 3),
        op("linear", args(tensor(10240, 1024), tensor(1024, 1024)), 2 * 10_737_418_240L),
        op("linear", args(tensor(4, 8), tensor(8), null), 2 * 4 * 8),
        op("inner", args(tensor(2, 3), tensor(4, 5, 3)), 2 * 2 * (4 * 5) * 3),
        op("inner", args(tensor(3), tensor(3)), 2 * 3),
        op("inner", args(tensor(2, 3), tensor()), 0),
        op("inner", args(tensor(2, 0), tensor(4, 0)), 0),
        op(
            "tensordot",
            args(tensor(2, 3, 4), tensor(4, 3, 5), longs(1, 2), longs(1, 0)),
            2 * 2 * (3 * 4) * 5),
        op(
            "tensordot",
            args(tensor(2, 3, 4), tensor(4, 3, 5), longs(-2, -1), longs(-2, 0)),
            2 * 2 * (3 * 4) * 5),
        op("tensordot", args(tensor(2, 3), tensor(4), longs(), longs()), 0),
        // First with the weight, i1·i2 for each of 5 rows and 40 outputs, then with the second, i2.
        op("bilinear", args(tensor(5, 20), tensor(5, 30), tensor(40, 20, 30), null), 252_000),
        op(
            "bilinear",
            args(tensor(2, 3, 20), tensor(2, 3, 30), tensor(40, 20, 30), null),
            2 * (2 * 3) * 40 * (20 * 30 + 30)),
        op(
            "einsum",
            args("bhid,bhjd->bhij", List.of(tensor(2, 3, 5, 8), tensor(2, 3, 7, 8)), null),
            2 * 2 * 3 * 5 * 7 * 8),
        op("einsum", args("i,j->ij", List.of(tensor(5), tensor(7)), null), 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quantized::linear",
        "quantized::linear_relu",
        "quantized::linear_leaky_relu",
        "quantized::linear_tanh",
        "quantized::linear_dynamic",
        "quantized::linear_relu_dynamic",
        "quantized::linear_dynamic_fp16",
        "quantized::linear_relu_dynamic_fp16",
        "quantized::linear_dynamic_fp16_unpacked_weight",
        "aten::_weight_int8pack_mm",
        "aten::_weight_int4pack_mm",
        "aten::_weight_int4pack_mm_for_cpu",
        "aten::_weight_int4pack_mm_with_scales_and_zeros",
        "aten::_mixed_dtypes_linear",
        "aten::_dyn_quant_matmul_4bit"
      })
  void countsAPackedProductByItsResult(String name) {
    List<Object> packed = args(typed("quint8", 5, 4, 73), List.of(typed("qint8", 9)), 1.0, 0);

    assertThat(STANDARD.flops(call(name, packed, typed("quint8", 5, 4, 256))))
        .isEqualTo(2 * (5 * 4) * 73 * 256);
  }

  static Stream<Arguments> convolutions() {
    TensorInfo wide = tensor(1, 1000, 512);
    return Stream.of(
        conv("conv1d", wide, tensor(1000, 1000, 3), wide, 2 * 1_536_000_000L),
        conv("conv1d", tensor(20, 16, 50), tensor(33, 16, 3), tensor(20, 33, 48), 2 * 1_520_640),
        conv(
            "conv2d",
            tensor(1, 128, 16, 16),
            tensor(128, 128, 1, 1),
            tensor(1, 128, 16, 16),
            2 * 4_194_304),
        conv(
            "conv3d",
            tensor(2, 3, 8, 8, 8),
            tensor(4, 3, 3, 3, 3),
            tensor(2, 4, 6, 6, 6),
            2 * 2 * (6 * 6 * 6) * (4 * 3 * 27)),
        // Without a batch.
        conv(
            "conv2d",
            tensor(3, 8, 8),
            tensor(5, 3, 3, 3),
            tensor(5, 6, 6),
            2 * (6 * 6) * (5 * 3 * 9)),
        // Depthwise: each of 32 channels has a filter of its own.
        conv(
            "conv2d",
            tensor(4, 32, 16, 16),
            tensor(32, 1, 3, 3),
            tensor(4, 32, 16, 16),
            2 * 4 * (16 * 16) * (32 * 9)),
        // Dilated by 2 and with stride 2, 15 positions are 6: floor((15 - 2·2 - 1) / 2) + 1.
        conv("conv1d", tensor(1, 2, 15), tensor(4, 2, 3), tensor(1, 4, 6), 2 * 6 * (4 * 2 * 3)),
        conv("conv2d", tensor(1, 3, 8, 8), tensor(0, 3, 3, 3), tensor(1, 0, 6, 6), 0),
        op(
            "_convolution_mode",
            args(tensor(1, 3, 8, 8), tensor(5, 3, 3, 3), null, longs(1, 1), "same", longs(1, 1), 1),
            2 * (8 * 8) * (5 * 3 * 9),
            tensor(1, 5, 8, 8)),
        // (time, batch, channels) by (taps, in, out).
        op(
            "conv_tbc",
            args(tensor(10, 2, 3), tensor(3, 3, 5), tensor(5), 0),
            2 * 2 * 8 * (3 * 3 * 5),
            tensor(8, 2, 5)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "conv2d",
        "_nnpack_spatial_convolution",
        "thnn_conv2d",
        "slow_conv3d",
        "slow_conv_dilated2d",
        "slow_conv_dilated3d",
        "_conv_depthwise2d",
        "conv_depthwise3d",
        "_slow_conv2d_forward",
        "slow_conv3d_forward",
        "mkldnn_convolution",
        "cudnn_convolution",
        "cudnn_convolution_relu",
        "cudnn_convolution_add_relu",
        "miopen_convolution",
        "miopen_depthwise_convolution",
        "miopen_convolution_relu",
        "miopen_convolution_add_relu",
        "mps_convolution"
      })
  void countsADeviceKernelAsTheConvolutionItStandsFor(String name) {
    OpCall call =
        call(name, args(tensor(2, 3, 8, 8), tensor(5, 3, 3, 3), null), tensor(2, 5, 6, 6));

    assertThat(STANDARD.flops(call)).isEqualTo(2 * 2 * (6 * 6) * (5 * 3 * 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"_convolution", "convolution", "convolution_overrideable"})
  void tellsATransposedConvolutionByItsFlag(String name) {
    TensorInfo image = tensor(1, 3, 2, 2);
    TensorInfo plain = tensor(1, 3, 2, 2);
    TensorInfo scattered = tensor(3, 1, 2, 2);

    assertThat(STANDARD.flops(call(name, convolution(image, plain, false), tensor(1, 1, 1, 1))))
        .isEqualTo(2 * 12);
    assertThat(STANDARD.flops(call(name, convolution(image, scattered, true), tensor(1, 1, 4, 4))))
        .isEqualTo(2 * 48);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quantized::conv2d",
        "quantized::conv2d_relu",
        "quantized::conv3d",
        "quantized::conv3d_relu",
        "quantized::conv2d_dynamic",
        "quantized::conv3d_dynamic"
      })
  void countsAQuantisedConvolutionAsItsTwin(String name) {
    List<Object> packed = List.of(typed("qint8", 5, 3, 3, 3), tensor(5));
    OpCall call =
        call(name, args(typed("quint8", 2, 3, 8, 8), packed, 1.0, 0), typed("quint8", 2, 5, 6, 6));

    assertThat(STANDARD.flops(call)).isEqualTo(2 * 2 * (6 * 6) * (5 * 3 * 9));
  }

  /** The tensor that is added stands before the packed weight. */
  @ParameterizedTest
  @ValueSource(strings = {"quantized::conv2d_add", "quantized::conv2d_add_relu"})
  void countsAQuantisedConvolutionThatAdds(String name) {
    TensorInfo result = typed("quint8", 2, 5, 6, 6);
    List<Object> packed = List.of(typed("qint8", 5, 3, 3, 3), tensor(5));
    OpCall call =
        call(
            name,
            args(typed("quint8", 2, 3, 8, 8), typed("quint8", 2, 5, 6, 6), packed, 1.0, 0),
            result);

    assertThat(STANDARD.flops(call)).isEqualTo(2 * 2 * (6 * 6) * (5 * 3 * 9));
  }

  /** Its weight is packed as one of two dimensions, the first of size 1. */
  @ParameterizedTest
  @ValueSource(
      strings = {"quantized::conv1d", "quantized::conv1d_relu", "quantized::conv1d_dynamic"})
  void countsAQuantisedConvolutionOfOneDimension(String name) {
    List<Object> packed = List.of(typed("qint8", 33, 16, 1, 3));
    OpCall call =
        call(name, args(typed("quint8", 20, 16, 50), packed, 1.0, 0), typed("quint8", 20, 33, 48));

    assertThat(STANDARD.flops(call)).isEqualTo(2 * 1_520_640);
  }

  static Stream<Arguments> transposed() {
    return Stream.of(
        conv(
            "conv_transpose1d",
            tensor(2, 4, 10),
            tensor(4, 3, 5),
            tensor(2, 3, 14),
            2 * 2 * 10 * (4 * 3 * 5)),
        conv(
            "conv_transpose2d",
            tensor(1, 32, 1, 1),
            tensor(32, 1, 3, 3),
            tensor(1, 1, 3, 3),
            2 * 288),
        conv(
            "conv_transpose2d", tensor(1, 3, 2, 2), tensor(3, 1, 2, 2), tensor(1, 1, 4, 4), 2 * 48),
        conv(
            "conv_transpose2d",
            tensor(2, 4, 8, 8),
            tensor(4, 6, 4, 4),
            tensor(2, 6, 16, 16),
            2 * 49_152),
        conv(
            "conv_transpose2d",
            tensor(2, 4, 8, 8),
            tensor(4, 1, 3, 3),
            tensor(2, 4, 16, 16),
            2 * 4_608),
        conv(
            "conv_transpose2d",
            tensor(2, 6, 8, 8),
            tensor(6, 2, 2, 2),
            tensor(2, 6, 16, 16),
            2 * 6_144),
        conv(
            "conv_transpose3d",
            tensor(1, 2, 3, 4, 5),
            tensor(2, 7, 2, 2, 2),
            tensor(1, 7, 4, 5, 6),
            2 * (3 * 4 * 5) * (2 * 7 * 8)),
        // Without a batch.
        conv("conv_transpose2d", tensor(3, 2, 2), tensor(3, 1, 2, 2), tensor(1, 4, 4), 2 * 48));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "slow_conv_transpose2d",
        "slow_conv_transpose3d",
        "cudnn_convolution_transpose",
        "miopen_convolution_transpose"
      })
  void countsADeviceKernelAsTheTransposedConvolutionItStandsFor(String name) {
    OpCall call = call(name, args(tensor(1, 3, 2, 2), tensor(3, 1, 2, 2)), tensor(1, 1, 4, 4));

    assertThat(STANDARD.flops(call)).isEqualTo(2 * 48);
  }

  static Stream<Arguments> attention() {
    TensorInfo small = tensor(2, 5, 9, 4);
    return Stream.of(
        attention(tensor(1, 12, 64, 64), tensor(1, 12, 64, 64), 64, 12_582_912),
        attention(small, small, 4, 12_960),
        attention(small, small, 4, 2 * 2 * 5 * 9 * 9 * (4 + 4)),
        // 32 query heads share 8 of keys and values.
        attention(tensor(1, 32, 128, 128), tensor(1, 8, 128, 128), 128, 268_435_456),
        // Queries and keys of length 16, values of length 3; 7 queries, 11 keys.
        attention(tensor(2, 5, 7, 16), tensor(2, 5, 11, 16), 3, 2 * 2 * 5 * 7 * 11 * (16 + 3)),
        attention(tensor(7, 16), tensor(11, 16), 16, 2 * 7 * 11 * (16 + 16)),
        // Four projections of 580 rows by 512·512, and two products of 580·580·512.
        op(
            "_native_multi_head_attention",
            args(tensor(1, 580, 512), tensor(1, 580, 512), tensor(1, 580, 512), 512, 4),
            2 * 952_647_680L),
        // Queries and the result have 7 rows a sample, keys and values 11.
        op(
            "_native_multi_head_attention",
            args(tensor(3, 7, 16), tensor(3, 11, 16), tensor(3, 11, 16), 16, 2),
            2 * 3 * (2 * 7 * 16 * 16 + 2 * 11 * 16 * 16 + 2 * 7 * 11 * 16)),
        op("_transformer_encoder_layer_fwd", encoderLayer(1, 64, 512, 512), 2 * 104_857_600L),
        // The same with a wider feed-forward part.
        op(
            "_transformer_encoder_layer_fwd",
            encoderLayer(2, 10, 16, 64),
            2 * 2 * (4 * 10 * 16 * 16 + 2 * 10 * 10 * 16 + 2 * 10 * 16 * 64)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_scaled_dot_product_attention_math",
        "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_flash_attention",
        "_scaled_dot_product_efficient_attention",
        "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_fused_attention_overrideable",
        "_scaled_dot_product_attention_math_for_mps"
      })
  void countsAnAttentionKernelAsAttention(String name) {
    TensorInfo q = tensor(2, 5, 9, 4);
    OpCall call = call(name, args(q, q, q, null, 0.0, true), tensor(2, 5, 9, 4), tensor(2, 5, 9));

    assertThat(STANDARD.flops(call)).isEqualTo(12_960);
  }

  @Test
  void doesNotHalveACausalMask() {
    TensorInfo q = tensor(2, 5, 9, 4);
    OpCall causal =
        call("scaled_dot_product_attention", args(q, q, q, null, 0.0, true), tensor(2, 5, 9, 4));

    assertThat(STANDARD.flops(causal)).isEqualTo(12_960);
  }

  /** A layer is G·(H·in + H·H) MACs a step: G = 4 for LSTM, 3 for GRU, 1 for RNN. */
  static Stream<Arguments> recurrent() {
    TensorInfo state = tensor(1, 3, 20);
    return Stream.of(
        layers("lstm", tensor(1, 250, 12), gates(4, 12, 128), 2 * 17_920_000),
        layers("lstm", tensor(5, 3, 10), gates(4, 10, 20), 2 * 36_000),
        layers(
            "lstm",
            tensor(100, 1, 300),
            both(gates(4, 300, 512), gates(4, 512, 512)),
            2 * 376_012_800),
        layers("gru", tensor(5, 3, 10), gates(3, 10, 20), 2 * 5 * 3 * 3 * (20 * 10 + 20 * 20)),
        layers("rnn_tanh", tensor(5, 3, 10), gates(1, 10, 20), 2 * 5 * 3 * (20 * 10 + 20 * 20)),
        layers("rnn_relu", tensor(5, 3, 10), gates(1, 10, 20), 2 * 5 * 3 * (20 * 10 + 20 * 20)),
        // Two directions.
        layers("lstm", tensor(5, 3, 10), both(gates(4, 10, 20), gates(4, 10, 20)), 2 * 2 * 36_000),
        // Projected to 7: the state that comes back is 7 wide, and 7·20 MACs come on top.
        layers(
            "lstm",
            tensor(5, 3, 10),
            List.of(tensor(80, 10), tensor(80, 7), tensor(80), tensor(80), tensor(7, 20)),
            2 * 5 * 3 * (4 * 20 * 10 + 4 * 20 * 7 + 7 * 20)),
        // Packed: 9 steps exist, in sequences of 4, 3 and 2.
        argumentSet(
            "packed lstm",
            call(
                "lstm",
                "data",
                args(
                    tensor(9, 10),
                    typed("int64", 4),
                    List.of(state, state),
                    gates(4, 10, 20),
                    true),
                tensor(9, 20)),
            2L * 9 * 4 * (20 * 10 + 20 * 20)),
        argumentSet(
            "packed gru",
            call(
                "gru",
                "data",
                args(tensor(9, 10), typed("int64", 4), state, gates(3, 10, 20), true),
                tensor(9, 20)),
            2L * 9 * 3 * (20 * 10 + 20 * 20)),
        cell("lstm_cell", List.of(tensor(6, 20), tensor(6, 20)), 4),
        cell("gru_cell", tensor(6, 20), 3),
        cell("rnn_tanh_cell", tensor(6, 20), 1),
        cell("rnn_relu_cell", tensor(6, 20), 1));
  }

  @Test
  void takesInPlaceAndOutVariantsForTheirPlainForms() {
    TensorInfo c = tensor(5, 2, 4);
    List<Object> batched = args(c, tensor(5, 2, 3), tensor(5, 3, 4), 1, 1);
    List<Object> product = args(tensor(2, 3), tensor(3, 4), tensor(2, 4));

    assertThat(STANDARD.flops(call("baddbmm_", batched, c))).isEqualTo(2 * 5 * 2 * 3 * 4);
    assertThat(STANDARD.flops(call("mm", "out", product, tensor(2, 4)))).isEqualTo(2 * 2 * 3 * 4);
    assertThat(STANDARD.flops(call("mm_out", product, tensor(2, 4)))).isEqualTo(2 * 2 * 3 * 4);
    assertThat(STANDARD.flops(call("relu_", args(c), c))).isZero();
    assertThat(STANDARD.flops(call("quantized::add_out", args(c, c, c), c))).isZero();
    assertThat(STANDARD.flops(call("__iand__", args(c, c), c))).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "view",
        "transpose",
        "expand",
        "size",
        "zeros",
        "arange",
        "clone",
        "_to_copy",
        "contiguous",
        "cat",
        "add",
        "mul",
        "addcmul_",
        "where",
        "relu",
        "gelu",
        "hardswish_",
        "sum",
        "mean",
        "argmax",
        "cumsum",
        "batch_norm",
        "layer_norm",
        "group_norm",
        "rms_norm",
        "softmax",
        "log_softmax",
        "max_pool2d",
        "adaptive_avg_pool2d",
        "upsample_bilinear2d",
        "grid_sampler",
        "pixel_shuffle",
        "constant_pad_nd",
        "reflection_pad2d",
        "gather",
        "index_put_",
        "scatter_add",
        "embedding",
        "embedding_bag",
        "topk",
        "sort",
        "fft_rfft",
        "fft_fft2",
        "stft",
        "dropout",
        "rand",
        "quantize_per_tensor",
        "dequantize",
        "mse_loss",
        "cross_entropy_loss",
        // Products that sum nothing.
        "outer",
        "ger",
        "addr",
        "kron",
        "quantized::add",
        "quantized::cat",
        "quantized::batch_norm2d"
      })
  void chargesNothingForWhatIsFreeByDefinition(String name) {
    assertThat(STANDARD.flops(call(name, args(tensor(4, 1), tensor(1, 5)), tensor(4, 5))))
        .isEqualTo(0L);
  }

  /** A free op stays free where its numbers are complex. */
  @Test
  void chargesNothingForFreeOpsOnComplexNumbers() {
    assertThat(STANDARD.flops(call("fft_irfft", args(typed("complex64", 9)), tensor(16)))).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linalg_solve",
        "linalg_svd",
        "cdist",
        "cholesky",
        "matrix_exp",
        "quantized_lstm",
        "quantized::conv_transpose2d",
        "quantized::linear_unknown",
        "torchvision::nms",
        "my::op",
        "my::mm",
        "my::relu",
        "Aten::mm"
      })
  void doesNotKnowTheRest(String name) {
    assertThat(STANDARD.flops(call(name, args(tensor(3, 3), tensor(3, 3)), tensor(3, 3)))).isNull();
  }

  @Test
  void doesNotKnowAComplexProduct() {
    TensorInfo complex = typed("complex64", 3, 3);

    assertThat(STANDARD.flops(call("mm", args(complex, complex), complex))).isNull();
    assertThat(
            STANDARD.flops(
                call("einsum", args("ij,jk->ik", List.of(complex, complex), null), complex)))
        .isNull();
  }

  @ParameterizedTest
  @MethodSource("misshapen")
  void doesNotKnowACallThatItsRuleCannotRead(OpCall call) {
    assertThat(STANDARD.flops(call)).isNull();
  }

  static Stream<OpCall> misshapen() {
    TensorInfo x = tensor(2, 3);
    TensorInfo w = tensor(3, 4);
    return Stream.of(
        call("mm", args(x), x),
        call("mm", args(), x),
        call("mm", args(x, null), x),
        call("mm", args(x, List.of(w)), x),
        call("mm", args(x, 4), x),
        call("mm", args(x, tensor(4, 5)), x),
        call("mm", args(x, tensor()), x),
        call("linear", args(x, tensor(4, 5), null), x),
        call("einsum", args("ij,jk->ik", List.of(x)), x),
        call("einsum", args("ij,jk->ik", List.of(x, 3L)), x),
        call("einsum", args(List.of(x, w), "ij,jk->ik"), x),
        call("tensordot", args(x, w, List.of(1.0), longs(0)), x),
        call("tensordot", args(x, w, longs(7), longs(0)), x),
        call("conv2d", args(tensor(1, 3, 8, 8), tensor(5, 3, 3, 3))),
        call("convolution", args(tensor(1, 3, 8, 8), tensor(5, 3, 3, 3)), tensor(1, 5, 6, 6)),
        call("quantized::conv2d", args(x, List.of(), 1.0, 0), x),
        call("quantized::linear", args(x, List.of()), List.of(x)),
        call("scaled_dot_product_attention", args(x, x), x),
        call("lstm", "input", args(tensor(5, 3, 10), List.of(), List.of()), x),
        call("lstm_cell", args(x, List.of(x), w), x),
        call("_native_multi_head_attention", args(x, x, x), x));
  }

  @ParameterizedTest
  @MethodSource("huge")
  void doesNotKnowWhatDoesNotFitIntoALong(OpCall call) {
    assertThat(STANDARD.flops(call)).isNull();
  }

  static Stream<OpCall> huge() {
    long large = 1L << 31;
    TensorInfo square = tensor(large, large);
    return Stream.of(
        call("mm", args(square, square), square),
        // 2^62 MACs fit, 2^63 FLOPs do not.
        call("mm", args(tensor(large, 1), tensor(1, large)), square),
        call("bmm", args(tensor(large, large, 2), tensor(large, 2, 2)), square),
        call("linear", args(square, square, null), square),
        call("inner", args(square, square), square),
        call("einsum", args("ij,jk->ik", List.of(square, square), null), square),
        call("conv1d", args(tensor(1, large, 5), tensor(large, large, 3)), tensor(1, large, 3)),
        call("quantized::linear", args(square, List.of()), square),
        call(
            "scaled_dot_product_attention",
            args(tensor(1, large, 64), tensor(1, large, 64), tensor(1, large, 64)),
            tensor(1, large, 64)),
        call(
            "lstm",
            "input",
            args(tensor(large, 1, 4), List.of(), List.of(tensor(large, large))),
            square));
  }

  @Test
  void countsUpToTheLargestThatFits() {
    long large = 1L << 30;

    assertThat(STANDARD.flops(call("mm", args(tensor(large, 2), tensor(2, large)), tensor())))
        .isEqualTo(1L << 62);
  }

  @Test
  void takesOneMoreRuleAndLeavesTheOriginal() {
    OpCall mine = call("my::op", args(tensor(3)), tensor(3));
    OpCall other = call("my::other", args(tensor(3)), tensor(3));
    FlopRegistry more = STANDARD.with("my::op", c -> 7 * c.tensor(0).elements());

    assertThat(more.flops(mine)).isEqualTo(7 * 3);
    assertThat(more.with("my::other", c -> 1).flops(mine)).isEqualTo(7 * 3);
    assertThat(more.flops(other)).isNull();
    assertThat(STANDARD.flops(mine)).isNull();
  }

  @Test
  void letsARuleTakeThePlaceOfAnother() {
    OpCall product = call("mm", args(tensor(2, 3), tensor(3, 4)), tensor(2, 4));
    OpCall free = call("relu", args(tensor(3)), tensor(3));
    FlopRegistry changed = STANDARD.with("aten::mm", c -> 5).with("aten::relu", c -> 3);

    assertThat(changed.flops(product)).isEqualTo(5);
    assertThat(changed.flops(free)).isEqualTo(3);
    assertThat(changed.flops(call("relu_", args(tensor(3)), tensor(3)))).isEqualTo(3);
    assertThat(STANDARD.flops(product)).isEqualTo(2 * 2 * 3 * 4);
    assertThat(STANDARD.flops(free)).isZero();
  }

  @Test
  void prefersARuleForTheNameAsItStands() {
    FlopRegistry both = STANDARD.with("my::op", c -> 1).with("my::op_", c -> 2);

    assertThat(both.flops(call("my::op", args()))).isEqualTo(1);
    assertThat(both.flops(call("my::op_", args()))).isEqualTo(2);
    assertThat(both.flops(call("my::op_out", args()))).isEqualTo(1);
  }

  @Test
  void takesAFailingOrNegativeRuleForUnknown() {
    FlopRule failing =
        c -> {
          throw new IllegalStateException("of the rule's author");
        };
    FlopRegistry odd = STANDARD.with("my::failing", failing).with("my::negative", c -> -1);

    assertThat(odd.flops(call("my::failing", args()))).isNull();
    assertThat(odd.flops(call("my::negative", args()))).isNull();
  }

  /** Without arguments every rule of the table is unknown, so that 0 means: no rule, and free. */
  @Test
  void hasNoRuleForAFreeOpAndNamesEachOnce() throws IOException {
    List<String> names = freeOps();

    assertThat(names).hasSizeGreaterThan(800).doesNotHaveDuplicates();
    assertThat(names).allSatisfy(n -> assertThat(STANDARD.flops(call(n, args()))).isEqualTo(0L));
  }

  private static List<String> freeOps() throws IOException {
    try (InputStream in = FlopRegistry.class.getResourceAsStream("free-ops.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Stream.of(line.split(" ")))
          .filter(name -> !name.isEmpty())
          .toList();
    }
  }

  private static Arguments op(String name, List<Object> arguments, long flops, Object... results) {
    return argumentSet(name + " " + flops, call(name, arguments, results), flops);
  }

  private static Arguments conv(
      String name, TensorInfo x, TensorInfo weight, TensorInfo result, long flops) {
    return op(name, args(x, weight, null), flops, result);
  }

  private static List<Object> convolution(TensorInfo x, TensorInfo weight, boolean transposed) {
    return args(x, weight, null, longs(2, 2), longs(0, 0), longs(1, 1), transposed, longs(0, 0), 1);
  }

  /** Attention over keys, with values of length {@code width}. */
  private static Arguments attention(TensorInfo q, TensorInfo k, long width, long flops) {
    return op(
        "scaled_dot_product_attention",
        args(q, k, last(k, width), null, 0.0, false, null, true),
        flops,
        last(q, width));
  }

  private static TensorInfo last(TensorInfo like, long width) {
    long[] sizes = like.sizes().stream().mapToLong(size -> size).toArray();
    sizes[sizes.length - 1] = width;
    return tensor(sizes);
  }

  private static List<Object> encoderLayer(long batch, long length, long width, long hidden) {
    TensorInfo bias = tensor(width);
    return args(
        tensor(batch, length, width),
        width,
        4,
        tensor(3 * width, width),
        tensor(3 * width),
        tensor(width, width),
        bias,
        false,
        false,
        1e-5,
        bias,
        bias,
        bias,
        bias,
        tensor(hidden, width),
        tensor(hidden),
        tensor(width, hidden),
        bias);
  }

  /** The weights of one layer and direction: to the gates from the input and from the state. */
  private static List<Object> gates(long gates, long in, long width) {
    long rows = gates * width;
    return List.of(tensor(rows, in), tensor(rows, width), tensor(rows), tensor(rows));
  }

  private static List<Object> both(List<Object> one, List<Object> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private static Arguments layers(String name, TensorInfo x, List<Object> weights, long flops) {
    TensorInfo state = tensor(1, 3, 20);
    Object states = name.equals("lstm") ? List.of(state, state) : state;
    return argumentSet(
        name + " " + flops,
        call(name, "input", args(x, states, weights, true, 1), tensor(1)),
        flops);
  }

  /** Six rows of 10 to a state of 20. */
  private static Arguments cell(String name, Object state, long gates) {
    long rows = gates * 20;
    return op(
        name,
        args(tensor(6, 10), state, tensor(rows, 10), tensor(rows, 20), tensor(rows), tensor(rows)),
        2 * 6 * gates * (20 * 10 + 20 * 20),
        tensor(6, 20));
  }
}
