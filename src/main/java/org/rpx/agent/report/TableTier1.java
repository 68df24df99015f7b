package org.rpx.agent.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.rpx.agent.tier1.ActivationMemory;
import org.rpx.agent.tier1.MemoryTraffic;
import org.rpx.agent.tier1.ModelProperties;

/** Tier 1 of the terminal summary. */
final class TableTier1 {
  private static final int MOST_OPS = 8;
  private static final int MOST_SHARES = 5;

  private final TablePage page;

  TableTier1(TablePage page) {
    this.page = page;
  }

  void write(EfficiencyReport report) {
    ModelProperties needs = report.tier1();
    page.title("Tier 1", "what one forward call needs, whatever it runs on");
    if (needs == null) {
      boolean local = report.warnings().stream().anyMatch(Warning::explainsNoTier1);
      page.line(
          local
              ? "  n/a (see the warnings)"
              : "  n/a (the model runs elsewhere, and its inside cannot be seen)");
      return;
    }
    boolean said = report.warnings().stream().anyMatch(w -> w.code() == Warning.Code.UNAVAILABLE);
    String unknown = said ? "see the warnings" : "not known";
    String atLeast = needs.flops() == null || needs.flopsComplete() ? "" : " ≥";
    page.figure("parameters", count(needs.params(), ""), unknown);
    page.figure("trainable", count(needs.trainableParams(), ""), unknown);
    page.figure("buffers", count(needs.buffers(), ""), unknown);
    page.figure("FLOPs" + atLeast, count(needs.flops(), "FLOP"), unknown);
    page.figure("MACs" + atLeast, count(needs.macs(), "MAC"), unknown);
    if (needs.elementwise() != null)
      page.figure("elementwise", count(needs.elementwise(), "op"), unknown);
    if (!needs.uncountedOps().isEmpty()) page.text("not counted", uncounted(needs.uncountedOps()));
    shares(needs);
    traffic(needs.traffic(), unknown);
    activations(needs.activations(), unknown);
    Double intensity = needs.arithmeticIntensity();
    page.figure(
        "arithmetic intensity" + atLeast,
        intensity == null ? null : Quantity.count(intensity, "FLOP/B"),
        "needs FLOPs and traffic");
    page.text("precision", needs.precision() == null ? "n/a (not known)" : needs.precision());
  }

  /** Where the FLOPs are: by op, by type where there are several, by the model's own parts. */
  private void shares(ModelProperties needs) {
    Long flops = needs.flops();
    if (flops == null || flops == 0) return;
    page.text("FLOPs by op", shares(needs.flopsByOp(), flops));
    if (needs.flopsByDtype().size() > 1)
      page.text("FLOPs by type", shares(needs.flopsByDtype(), flops));
    Map<String, Long> parts = new LinkedHashMap<>();
    needs.modules().stream()
        .filter(m -> !m.path().isEmpty() && m.path().indexOf('.') < 0 && m.flops() > 0)
        .sorted((a, b) -> Long.compare(b.flops(), a.flops()))
        .forEach(m -> parts.put(m.path(), m.flops()));
    if (!parts.isEmpty()) page.text("FLOPs by module", shares(parts, flops));
  }

  private void traffic(MemoryTraffic traffic, String unknown) {
    page.figure("memory traffic", count(traffic.bytes(), "B"), unknown);
    String used = traffic.used().name().toLowerCase(Locale.ROOT);
    Map<String, Long> models = new LinkedHashMap<>();
    models.put("compulsory", traffic.compulsoryBytes());
    models.put("fused", traffic.fusedBytes());
    models.put("unfused", traffic.unfusedBytes());
    models.remove(used);
    String others =
        models.entrySet().stream()
            .map(e -> e.getKey() + " " + bytes(e.getValue()))
            .collect(Collectors.joining(", "));
    page.text("", used + "; " + others + " (modelled)");
  }

  private void activations(ActivationMemory memory, String unknown) {
    page.figure("activation peak", count(memory.livenessPeakBytes(), "B"), unknown);
    if (memory.peakOp() == null) return;
    boolean inside = memory.peakModule() != null && !memory.peakModule().isEmpty();
    page.text(
        "",
        "at "
            + memory.peakOp()
            + (inside ? " of " + memory.peakModule() : "")
            + "; all results together "
            + bytes(memory.totalOutputBytes()));
  }

  private static String uncounted(Map<String, ModelProperties.Uncounted> ops) {
    String list =
        ops.entrySet().stream()
            .limit(MOST_OPS)
            .map(
                op ->
                    op.getKey()
                        + " ×"
                        + op.getValue().calls()
                        + ", "
                        + bytes(op.getValue().bytes()))
            .collect(Collectors.joining("; "));
    return ops.size() > MOST_OPS ? list + " and " + (ops.size() - MOST_OPS) + " more" : list;
  }

  private static String shares(Map<String, Long> counts, long of) {
    Map<String, Double> shares = new LinkedHashMap<>();
    counts.forEach((name, count) -> shares.put(name, count / (double) of));
    return shares(shares);
  }

  /** "conv2d 97.1 %, linear 2.9 %": the largest, and how many more there are. */
  static String shares(Map<String, Double> shares) {
    List<String> texts =
        shares.entrySet().stream()
            .limit(MOST_SHARES)
            .map(e -> e.getKey().replaceFirst("^aten::", "") + " " + percent(e.getValue()))
            .toList();
    int more = shares.size() - texts.size();
    return String.join(", ", texts) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String percent(double share) {
    return share < 0.0005 ? "< 0.1 %" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String bytes(Long bytes) {
    return bytes == null ? "n/a" : Quantity.bytes(bytes).text();
  }

  private static Quantity count(Long count, String unit) {
    return count == null ? null : Quantity.count(count, unit);
  }
}
