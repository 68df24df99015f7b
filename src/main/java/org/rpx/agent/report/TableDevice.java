package org.rpx.agent.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rpx.agent.measure.DeviceTimes;
import org.rpx.agent.measure.Measurement;

/** The lines of tier 3 that an accelerator adds. */
final class TableDevice {
  private final TablePage page;

  TableDevice(TablePage page) {
    this.page = page;
  }

  void times(Measurement measured) {
    DeviceTimes times = measured.deviceTimes();
    String why = times.noEvents() == null ? "not timed" : "no timing events";
    List<String> host = new ArrayList<>();
    host.add(page.cell("enqueue p50", time(times.enqueueMs(50)), why));
    Double share = JsonDevice.share(measured);
    if (share != null) host.add(String.format(Locale.ROOT, "%.0f %% of the device's", 100 * share));
    host.add(page.cell("wall p50", time(times.wallMs(50)), "not timed"));
    page.cells("host", host);
    copies("to device", times.toDevice());
    copies("from device", times.fromDevice());
    page.cells("event floor", List.of(page.cell("", time(times.floorMs()), why)));
  }

  void memory(Measurement.DevicePeak peak) {
    page.cells(
        peak.sampled() ? "on device*" : "on device",
        List.of(
            page.cell("tensors", mebibytes(peak.allocatedMb()), "not told"),
            page.cell("reserved", mebibytes(peak.reservedMb()), "not told"),
            page.cell("used", mebibytes(peak.usedMb()), "not told"),
            page.cell("of", mebibytes(peak.totalMb()), "not told")));
    if (peak.sampled()) page.text("", "* sampled before and behind the timed runs, no high water");
  }

  private void copies(String label, DeviceTimes.Transfer copy) {
    if (copy == null) return;
    String why = copy.reason() == null ? "not timed" : copy.reason();
    page.cells(
        label,
        List.of(
            Quantity.bytes(copy.bytes()).text(),
            page.cell("pinned", time(copy.pinnedMs()), why),
            page.cell("pageable", time(copy.pageableMs()), why)));
  }

  private static Quantity time(Double ms) {
    return ms == null ? null : Quantity.time(ms);
  }

  private static Quantity mebibytes(Double mib) {
    return mib == null ? null : Quantity.mebibytes(mib);
  }
}
