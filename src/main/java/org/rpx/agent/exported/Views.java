package org.rpx.agent.exported;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rpx.agent.trace.TensorInfo;

/** Which ops give back memory that they were given, instead of new memory. */
final class Views {
  private static final Set<String> ALWAYS =
      words(
          "view _unsafe_view _reshape_alias view_as permute transpose t T mT H mH numpy_T matrix_H",
          "adjoint swapaxes swapdims movedim moveaxis expand expand_as broadcast_to slice select",
          "narrow unsqueeze squeeze split split_with_sizes chunk unsafe_chunk unsafe_split",
          "unsafe_split_with_sizes tensor_split hsplit vsplit dsplit unbind alias detach",
          "as_strided unflatten diagonal linalg_diagonal unfold real imag view_as_real",
          "view_as_complex lift lift_fresh positive atleast_1d atleast_2d atleast_3d",
          "broadcast_tensors meshgrid _conj _neg_view");

  /** Views where the new shape fits the old strides, else copies. */
  private static final Set<String> RESHAPES = words("reshape reshape_as flatten ravel");

  /** The same tensor where nothing is to be done, else a copy. */
  private static final Set<String> UNCHANGED =
      words("to contiguous type_as resolve_conj resolve_neg", "_autocast_to_full_precision");

  /** In evaluation they pass their input through. */
  private static final Set<String> TRAINING =
      words("dropout alpha_dropout feature_dropout feature_alpha_dropout");

  private Views() {}

  private static Set<String> words(String... lines) {
    return Set.of(String.join(" ", lines).split(" "));
  }

  /**
   * A tensor with what is known of it beside its shape.
   *
   * @param device as in {@link TensorMeta}
   */
  record Held(TensorInfo info, String device) {}

  /**
   * The tensor whose memory the result has; null where it has memory of its own.
   *
   * @param inputs the tensors among the first argument: one, or those of a list
   * @param index which of the results it is
   * @param result with its own shape and strides; its storage is not looked at
   */
  static Held base(Node node, List<Held> inputs, int index, Held result) {
    if (inputs.isEmpty()) return null;
    Held self = inputs.get(index < inputs.size() ? index : 0);
    if (node.inPlace()) return self;
    if (!node.op().startsWith("aten::")) return null;
    String name = node.op().substring("aten::".length());
    if (ALWAYS.contains(name)) return self;
    if (RESHAPES.contains(name)) return fits(self.info(), result.info()) ? self : null;
    if (TRAINING.contains(name)) return Boolean.FALSE.equals(node.argument("train")) ? self : null;
    if (UNCHANGED.contains(name)) {
      boolean copy = Boolean.TRUE.equals(node.argument("copy"));
      return !copy && same(self, result) ? self : null;
    }
    return null;
  }

  /** Whether a result may have the memory of the first argument. */
  static boolean possible(Node node) {
    if (node.inPlace()) return true;
    if (!node.op().startsWith("aten::")) return false;
    String name = node.op().substring("aten::".length());
    return ALWAYS.contains(name)
        || RESHAPES.contains(name)
        || UNCHANGED.contains(name)
        || TRAINING.contains(name);
  }

  private static boolean same(Held self, Held result) {
    TensorInfo a = self.info();
    TensorInfo b = result.info();
    if (!a.dtype().equals(b.dtype()) || !self.device().equals(result.device())) return false;
    if (!a.sizes().equals(b.sizes())) return false;
    for (int i = 0; i < a.rank(); i++) {
      if (a.size(i) > 1 && !a.strides().get(i).equals(b.strides().get(i))) return false;
    }
    return true;
  }

  /**
   * Whether a new shape can be laid over old strides: each run of dimensions that lie densely in
   * one another has to be cut into whole new dimensions.
   */
  static boolean fits(TensorInfo from, TensorInfo to) {
    if (from.storage() < 0 || from.elements() != to.elements()) return false;
    if (from.elements() == 0) return true;
    List<long[]> runs = runs(from);
    int d = to.rank() - 1;
    for (int r = runs.size() - 1; r >= 0; r--) {
      long left = runs.get(r)[0];
      while (d >= 0 && to.size(d) <= left && left % to.size(d) == 0 && left > 1)
        left /= to.size(d--);
      if (left != 1) return false;
    }
    return true;
  }

  /** Products of the sizes of dimensions that lie densely in one another. */
  private static List<long[]> runs(TensorInfo from) {
    List<long[]> runs = new ArrayList<>();
    for (int i = 0; i < from.rank(); i++) {
      long size = from.size(i);
      if (size == 1) continue;
      long stride = from.strides().get(i);
      long[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && last[1] == size * stride) {
        last[0] *= size;
        last[1] = stride;
      } else {
        runs.add(new long[] {size, stride});
      }
    }
    return runs;
  }
}
