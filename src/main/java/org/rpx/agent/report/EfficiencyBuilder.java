package org.rpx.agent.report;

import java.util.Map;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.tier2.RooflineBound;
import org.rpx.agent.tier2.Rounding;

/**
 * Gathers the figures of an {@link EfficiencyMetadata}. Setters named as a component take its value
 * as it is; those that take counts or bytes round as {@code rpx_benchmark} does.
 */
public final class EfficiencyBuilder {
  private Double paramsM;
  private Double flopsG;
  private Double macsG;
  private Double actmemGbFp16;
  private Double memoryTrafficGb;
  private Double arithmeticIntensity;
  private Double latencyMsPerSample;
  private String modelType = EfficiencyMetadata.LOCAL;
  private String notes = "";
  private Map<String, RooflineBound> roofline;
  private Double peakCpuMb;
  private Double peakCudaMb;
  private Double peakMpsMb;
  private Double latencyP50Ms;
  private Double latencyP95Ms;
  private Double latencyP99Ms;
  private SystemCard systemCard;

  EfficiencyBuilder() {}

  EfficiencyBuilder(EfficiencyMetadata from) {
    paramsM = from.paramsM();
    flopsG = from.flopsG();
    macsG = from.macsG();
    actmemGbFp16 = from.actmemGbFp16();
    memoryTrafficGb = from.memoryTrafficGb();
    arithmeticIntensity = from.arithmeticIntensity();
    latencyMsPerSample = from.latencyMsPerSample();
    modelType = from.modelType();
    notes = from.notes();
    roofline = from.roofline();
    peakCpuMb = from.peakCpuMb();
    peakCudaMb = from.peakCudaMb();
    peakMpsMb = from.peakMpsMb();
    latencyP50Ms = from.latencyP50Ms();
    latencyP95Ms = from.latencyP95Ms();
    latencyP99Ms = from.latencyP99Ms();
    systemCard = from.systemCard();
  }

  /** {@code params_m} of a count, to 3 places. */
  public EfficiencyBuilder params(long count) {
    return paramsM(Rounding.halfEven(count / 1e6, 3));
  }

  /** {@code flops_g} of a count, to 3 places. */
  public EfficiencyBuilder flops(long count) {
    return flopsG(Rounding.halfEven(count / 1e9, 3));
  }

  /** {@code memory_traffic_gb} of bytes, to 4 places. */
  public EfficiencyBuilder trafficBytes(long bytes) {
    return memoryTrafficGb(Rounding.halfEven(bytes / 1e9, 4));
  }

  /** {@code actmem_gb_fp16} of bytes, to 4 places. */
  public EfficiencyBuilder actmemFp16Bytes(long bytes) {
    return actmemGbFp16(Rounding.halfEven(bytes / 1e9, 4));
  }

  /** {@code peak_cpu_mb} of bytes: MiB to 3 places. */
  public EfficiencyBuilder peakCpuBytes(long bytes) {
    return peakCpuMb(mebibytes(bytes));
  }

  /** {@code peak_cuda_mb} of bytes: MiB to 3 places. */
  public EfficiencyBuilder peakCudaBytes(long bytes) {
    return peakCudaMb(mebibytes(bytes));
  }

  /** {@code peak_mps_mb} of bytes: MiB to 3 places. */
  public EfficiencyBuilder peakMpsBytes(long bytes) {
    return peakMpsMb(mebibytes(bytes));
  }

  /** The three percentiles in milliseconds to 3 places, and the median as the latency a sample. */
  public EfficiencyBuilder latencies(double p50Ms, Double p95Ms, Double p99Ms) {
    latencyP50Ms(Rounding.halfEven(p50Ms, 3));
    latencyP95Ms(p95Ms == null ? null : Rounding.halfEven(p95Ms, 3));
    latencyP99Ms(p99Ms == null ? null : Rounding.halfEven(p99Ms, 3));
    return latencyMsPerSample(latencyP50Ms);
  }

  private static double mebibytes(long bytes) {
    return Rounding.halfEven(bytes / (1024.0 * 1024.0), 3);
  }

  /** Sets {@link EfficiencyMetadata#paramsM} as it is; null is unknown. */
  public EfficiencyBuilder paramsM(Double paramsM) {
    this.paramsM = paramsM;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#flopsG} as it is; null is unknown. */
  public EfficiencyBuilder flopsG(Double flopsG) {
    this.flopsG = flopsG;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#macsG} as it is; null is unknown. */
  public EfficiencyBuilder macsG(Double macsG) {
    this.macsG = macsG;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#actmemGbFp16} as it is; null is unknown. */
  public EfficiencyBuilder actmemGbFp16(Double actmemGbFp16) {
    this.actmemGbFp16 = actmemGbFp16;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#memoryTrafficGb} as it is; null is unknown. */
  public EfficiencyBuilder memoryTrafficGb(Double memoryTrafficGb) {
    this.memoryTrafficGb = memoryTrafficGb;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#arithmeticIntensity} as it is; null is unknown. */
  public EfficiencyBuilder arithmeticIntensity(Double arithmeticIntensity) {
    this.arithmeticIntensity = arithmeticIntensity;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#latencyMsPerSample} as it is; null is unknown. */
  public EfficiencyBuilder latencyMsPerSample(Double latencyMsPerSample) {
    this.latencyMsPerSample = latencyMsPerSample;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#modelType}: {@code local} or {@code api}. */
  public EfficiencyBuilder modelType(String modelType) {
    this.modelType = modelType;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#notes}. */
  public EfficiencyBuilder notes(String notes) {
    this.notes = notes;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#roofline}, keeping its order; null is never asked for. */
  public EfficiencyBuilder roofline(Map<String, RooflineBound> roofline) {
    this.roofline = roofline;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#peakCpuMb} as it is; null is unknown. */
  public EfficiencyBuilder peakCpuMb(Double peakCpuMb) {
    this.peakCpuMb = peakCpuMb;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#peakCudaMb} as it is; null is unknown. */
  public EfficiencyBuilder peakCudaMb(Double peakCudaMb) {
    this.peakCudaMb = peakCudaMb;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#peakMpsMb} as it is; null is unknown. */
  public EfficiencyBuilder peakMpsMb(Double peakMpsMb) {
    this.peakMpsMb = peakMpsMb;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#latencyP50Ms} as it is; null is unknown. */
  public EfficiencyBuilder latencyP50Ms(Double latencyP50Ms) {
    this.latencyP50Ms = latencyP50Ms;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#latencyP95Ms} as it is; null is unknown. */
  public EfficiencyBuilder latencyP95Ms(Double latencyP95Ms) {
    this.latencyP95Ms = latencyP95Ms;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#latencyP99Ms} as it is; null is unknown. */
  public EfficiencyBuilder latencyP99Ms(Double latencyP99Ms) {
    this.latencyP99Ms = latencyP99Ms;
    return this;
  }

  /** Sets {@link EfficiencyMetadata#systemCard} as it is; null is unknown. */
  public EfficiencyBuilder systemCard(SystemCard systemCard) {
    this.systemCard = systemCard;
    return this;
  }

  /**
   * The figures as they stand; nothing is derived.
   *
   * @throws IllegalArgumentException if a figure is negative or not finite, or the model's type is
   *     unknown
   */
  public EfficiencyMetadata build() {
    return new EfficiencyMetadata(
        paramsM,
        flopsG,
        macsG,
        actmemGbFp16,
        memoryTrafficGb,
        arithmeticIntensity,
        latencyMsPerSample,
        modelType,
        notes,
        roofline,
        peakCpuMb,
        peakCudaMb,
        peakMpsMb,
        latencyP50Ms,
        latencyP95Ms,
        latencyP99Ms,
        systemCard);
  }
}
