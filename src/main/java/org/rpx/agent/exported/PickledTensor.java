package org.rpx.agent.exported;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rpx.agent.exported.Pickle.Global;
import org.rpx.agent.exported.Pickle.Storage;

/** A tensor as a pickle describes it; {@code key} names the record with its bytes. */
record PickledTensor(String key, boolean parameter, TensorMeta meta) {
  private static final Map<String, Dtype> STORAGES =
      Map.ofEntries(
          Map.entry("torch.FloatStorage", Dtype.FLOAT32),
          Map.entry("torch.DoubleStorage", Dtype.FLOAT64),
          Map.entry("torch.HalfStorage", Dtype.FLOAT16),
          Map.entry("torch.BFloat16Storage", Dtype.BFLOAT16),
          Map.entry("torch.LongStorage", Dtype.INT64),
          Map.entry("torch.IntStorage", Dtype.INT32),
          Map.entry("torch.ShortStorage", Dtype.INT16),
          Map.entry("torch.CharStorage", Dtype.INT8),
          Map.entry("torch.ByteStorage", Dtype.UINT8),
          Map.entry("torch.BoolStorage", Dtype.BOOL),
          Map.entry("torch.ComplexFloatStorage", Dtype.COMPLEX64),
          Map.entry("torch.ComplexDoubleStorage", Dtype.COMPLEX128));

  /** What a call inside a pickle gives, of those few that make dicts and plain tensors. */
  static Object call(Object function, List<?> arguments) {
    if (!(function instanceof Global global)) return Pickle.OTHER;
    return switch (global.name()) {
      case "collections.OrderedDict" -> new LinkedHashMap<Object, Object>();
      case "torch._utils._rebuild_tensor_v2" -> tensor(arguments, null, 6);
      case "torch._utils._rebuild_tensor_v3" -> tensor(arguments, arguments.get(6), 7);
      case "torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state" ->
          arguments.get(0) instanceof PickledTensor t
              ? new PickledTensor(t.key, true, t.meta((Boolean) arguments.get(1)))
              : Pickle.OTHER;
      default -> new Pickle.Refused(global.name());
    };
  }

  /**
   * Storage, offset, sizes, strides, whether it wants a gradient, hooks; the dtype in v3; then, of
   * a tensor that is not what its bytes say (a conjugate view), how it differs.
   */
  private static Object tensor(List<?> arguments, Object type, int differences) {
    if (!(arguments.get(0) instanceof Storage storage)) return Pickle.OTHER;
    if (arguments.size() > differences && !Map.of().equals(arguments.get(differences)))
      return new Pickle.Refused("a conjugate or negative view (resolve_conj() makes it plain)");
    Dtype dtype = type instanceof Global t ? dtype(t) : STORAGES.get(storage.type().name());
    if (dtype == null)
      return new Pickle.Refused(type instanceof Global t ? t.name() : storage.type().name());
    TensorMeta meta =
        new TensorMeta(
            dtype,
            sizes(arguments.get(2)),
            sizes(arguments.get(3)),
            Size.of((Long) arguments.get(1)),
            (Boolean) arguments.get(4),
            storage.device(),
            true);
    return new PickledTensor(storage.key(), false, meta);
  }

  private static Dtype dtype(Global type) {
    for (Dtype dtype : Dtype.values())
      if (type.name().equals("torch." + dtype.torchName())) return dtype;
    return null;
  }

  private static List<Size> sizes(Object numbers) {
    return ((List<?>) numbers).stream().map(n -> Size.of((Long) n)).toList();
  }

  private TensorMeta meta(boolean gradient) {
    return new TensorMeta(
        meta.dtype(),
        meta.sizes(),
        meta.strides(),
        meta.offset(),
        gradient,
        meta.device(),
        meta.strided());
  }
}
