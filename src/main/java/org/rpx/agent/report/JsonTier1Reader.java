package org.rpx.agent.report;

import static org.rpx.agent.tier1.TrafficModel.COMPULSORY;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.tier1.ActivationMemory;
import org.rpx.agent.tier1.MemoryTraffic;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.ModuleCost;
import org.rpx.agent.tier1.OpGroup;
import org.rpx.agent.tier1.TrafficModel;

/** Reads tier 1. What follows from other keys is checked as a number and then reckoned again. */
final class JsonTier1Reader {
  private final JsonCursor json;
  private Long params;
  private Long trainableParams;
  private Long buffers;
  private Long elementwise;
  private Boolean flopsComplete;
  private List<OpGroup> ops;
  private final List<OpGroup> listed = new ArrayList<>();
  private final List<ModuleCost> modules = new ArrayList<>();
  private MemoryTraffic traffic = new MemoryTraffic(null, null, null, null, COMPULSORY);
  private ActivationMemory activations = new ActivationMemory(null, null, null, null, null);
  private String precision;

  private JsonTier1Reader(JsonCursor json) {
    this.json = json;
  }

  static ModelProperties read(JsonCursor json) throws IOException {
    return new JsonTier1Reader(json).properties();
  }

  private ModelProperties properties() throws IOException {
    json.object(this::value);
    if (flopsComplete == null) throw json.wrong("lacks flops_complete");
    // Reports of the first shape list no ops: their FLOPs are known by op, and no more.
    if (ops == null && !listed.isEmpty()) ops = listed;
    ModelProperties properties =
        new ModelProperties(
            params,
            trainableParams,
            buffers,
            ops,
            modules,
            elementwise,
            traffic,
            activations,
            precision);
    try {
      properties.flops();
    } catch (ArithmeticException e) {
      throw json.wrong("has ops of more FLOPs together than 2^63");
    }
    return properties;
  }

  private void value(String key) throws IOException {
    switch (key) {
      case "params" -> params = json.count();
      case "trainable_params" -> trainableParams = json.count();
      case "buffers" -> buffers = json.count();
      case "flops", "macs" -> json.count();
      case "arithmetic_intensity" -> json.number();
      case "flops_complete" -> flopsComplete = json.truth();
      case "flops_by_op" ->
          json.counts().forEach((op, n) -> listed.add(new OpGroup(op, null, 1, n, null)));
      case "uncounted_ops" -> json.object(this::uncounted);
      case "flops_by_dtype" -> json.counts();
      case "elementwise" -> elementwise = json.count();
      case "traffic" -> traffic = traffic();
      case "activations" -> activations = activations();
      case "precision" -> precision = json.text();
      case "ops" -> ops();
      case "modules" -> json.array(none -> modules.add(module()));
      default -> json.skip();
    }
  }

  /** Calls alone in the first shape, calls and bytes since. */
  private void uncounted(String op) throws IOException {
    Long[] counts = new Long[2];
    if (json.isObject())
      json.object(
          key -> {
            switch (key) {
              case "calls" -> counts[0] = json.count();
              case "bytes" -> counts[1] = json.count();
              default -> json.skip();
            }
          });
    else counts[0] = json.count();
    listed.add(new OpGroup(op, null, json.required(counts[0]), null, counts[1]));
  }

  private MemoryTraffic traffic() throws IOException {
    Long[] bytes = new Long[4];
    TrafficModel[] used = {COMPULSORY};
    json.object(
        key -> {
          switch (key) {
            case "compulsory_bytes" -> bytes[0] = json.count();
            case "fused_bytes" -> bytes[1] = json.count();
            case "unfused_bytes" -> bytes[2] = json.count();
            case "rpx_bytes" -> bytes[3] = json.count();
            case "used" -> used[0] = model(json.required(json.text()));
            default -> json.skip();
          }
        });
    return new MemoryTraffic(bytes[0], bytes[1], bytes[2], bytes[3], used[0]);
  }

  private TrafficModel model(String name) {
    for (TrafficModel model : TrafficModel.values())
      if (model.name().toLowerCase(Locale.ROOT).equals(name)) return model;
    throw json.wrong("is " + name + ", must be compulsory, fused, unfused or rpx");
  }

  private ActivationMemory activations() throws IOException {
    Long[] bytes = new Long[3];
    String[] peak = new String[2];
    json.object(
        key -> {
          switch (key) {
            case "liveness_peak_bytes" -> bytes[0] = json.count();
            case "liveness_peak_fp16_bytes" -> bytes[1] = json.count();
            case "total_output_bytes" -> bytes[2] = json.count();
            case "peak_op" -> peak[0] = json.text();
            case "peak_module" -> peak[1] = json.text();
            default -> json.skip();
          }
        });
    return new ActivationMemory(bytes[0], bytes[1], bytes[2], peak[0], peak[1]);
  }

  private void ops() throws IOException {
    if (json.isNull()) return;
    ops = new ArrayList<>();
    json.array(none -> ops.add(group()));
  }

  private OpGroup group() throws IOException {
    String[] texts = new String[2];
    Long[] counts = new Long[3];
    json.object(
        key -> {
          switch (key) {
            case "op" -> texts[0] = json.required(json.text());
            case "dtype" -> texts[1] = json.text();
            case "calls" -> counts[0] = json.required(json.count());
            case "flops" -> counts[1] = json.count();
            case "bytes" -> counts[2] = json.count();
            default -> json.skip();
          }
        });
    if (texts[0] == null || counts[0] == null) throw json.wrong("lacks op or calls");
    return new OpGroup(texts[0], texts[1], counts[0], counts[1], counts[2]);
  }

  private ModuleCost module() throws IOException {
    String[] path = {null};
    Long[] counts = new Long[3];
    json.object(
        key -> {
          switch (key) {
            case "path" -> path[0] = json.required(json.text());
            case "calls" -> counts[0] = json.required(json.count());
            case "flops" -> counts[1] = json.required(json.count());
            case "bytes" -> counts[2] = json.required(json.count());
            default -> json.skip();
          }
        });
    if (path[0] == null || counts[0] == null || counts[1] == null || counts[2] == null)
      throw json.wrong("lacks path, calls, flops or bytes");
    return new ModuleCost(path[0], counts[0], counts[1], counts[2]);
  }
}
