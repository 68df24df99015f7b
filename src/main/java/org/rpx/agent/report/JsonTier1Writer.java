package org.rpx.agent.report;

import static org.rpx.agent.report.JsonStyle.entry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;
import org.rpx.agent.tier1.ActivationMemory;
import org.rpx.agent.tier1.MemoryTraffic;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.ModuleCost;
import org.rpx.agent.tier1.OpGroup;

/** Writes the keys of tier 1 in their order. */
final class JsonTier1Writer {
  private final JsonGenerator json;

  JsonTier1Writer(JsonGenerator json) {
    this.json = json;
  }

  void write(ModelProperties tier1) throws IOException {
    json.writeObjectFieldStart("tier1");
    entry(json, "params", tier1.params());
    entry(json, "trainable_params", tier1.trainableParams());
    entry(json, "buffers", tier1.buffers());
    entry(json, "flops", tier1.flops());
    entry(json, "macs", tier1.macs());
    entry(json, "flops_complete", tier1.flopsComplete());
    entry(json, "flops_by_op", tier1.flopsByOp());
    entry(json, "flops_by_dtype", tier1.flopsByDtype());
    uncounted(tier1);
    entry(json, "elementwise", tier1.elementwise());
    traffic(tier1.traffic());
    activations(tier1.activations());
    entry(json, "arithmetic_intensity", tier1.arithmeticIntensity());
    entry(json, "precision", tier1.precision());
    ops(tier1);
    modules(tier1);
    json.writeEndObject();
  }

  private void uncounted(ModelProperties tier1) throws IOException {
    json.writeObjectFieldStart("uncounted_ops");
    for (var op : tier1.uncountedOps().entrySet()) {
      json.writeFieldName(op.getKey());
      JsonStyle.flat(json, true);
      json.writeStartObject();
      entry(json, "calls", op.getValue().calls());
      entry(json, "bytes", op.getValue().bytes());
      json.writeEndObject();
      JsonStyle.flat(json, false);
    }
    json.writeEndObject();
  }

  private void traffic(MemoryTraffic traffic) throws IOException {
    json.writeObjectFieldStart("traffic");
    entry(json, "compulsory_bytes", traffic.compulsoryBytes());
    entry(json, "fused_bytes", traffic.fusedBytes());
    entry(json, "unfused_bytes", traffic.unfusedBytes());
    entry(json, "rpx_bytes", traffic.rpxBytes());
    entry(json, "used", traffic.used().name().toLowerCase(Locale.ROOT));
    json.writeEndObject();
  }

  private void activations(ActivationMemory activations) throws IOException {
    json.writeObjectFieldStart("activations");
    entry(json, "liveness_peak_bytes", activations.livenessPeakBytes());
    entry(json, "liveness_peak_fp16_bytes", activations.livenessPeakFp16Bytes());
    entry(json, "total_output_bytes", activations.totalOutputBytes());
    entry(json, "peak_op", activations.peakOp());
    entry(json, "peak_module", activations.peakModule());
    json.writeEndObject();
  }

  private void ops(ModelProperties tier1) throws IOException {
    if (tier1.ops() == null) {
      json.writeNullField("ops");
      return;
    }
    json.writeArrayFieldStart("ops");
    for (OpGroup group : tier1.ops()) {
      JsonStyle.flat(json, true);
      json.writeStartObject();
      entry(json, "op", group.op());
      entry(json, "dtype", group.dtype());
      entry(json, "calls", group.calls());
      entry(json, "flops", group.flops());
      entry(json, "bytes", group.bytes());
      json.writeEndObject();
      JsonStyle.flat(json, false);
    }
    json.writeEndArray();
  }

  private void modules(ModelProperties tier1) throws IOException {
    json.writeArrayFieldStart("modules");
    for (ModuleCost module : tier1.modules()) {
      JsonStyle.flat(json, true);
      json.writeStartObject();
      entry(json, "path", module.path());
      entry(json, "calls", module.calls());
      entry(json, "flops", module.flops());
      entry(json, "bytes", module.bytes());
      json.writeEndObject();
      JsonStyle.flat(json, false);
    }
    json.writeEndArray();
  }
}
