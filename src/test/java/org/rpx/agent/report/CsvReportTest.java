package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.rpx.agent.host.SystemCard;

class CsvReportTest {
  @Test
  void writesKeysAndValues() throws IOException {
    assertThat(written(Reports.full()))
        .isEqualTo(
            "type,params_m,flops_g,macs_g,memory_traffic_gb,arithmetic_intensity,actmem_gb_fp16,"
                + "latency_ms_per_sample,latency_p50_ms,latency_p95_ms,latency_p99_ms,"
                + "peak_cpu_mb,peak_cuda_mb,peak_mps_mb,"
                + "roofline_fast_gpu_80gb_ms,bottleneck_fast_gpu_80gb,"
                + "system_card.gpu_name,system_card.gpu_memory_gb,system_card.gpu_count,"
                + "system_card.cpu_name,system_card.ram_gb,system_card.cuda_version,"
                + "system_card.pytorch_version,system_card.python_version,"
                + "system_card.precision,system_card.batch_size,system_card.input_resolution,"
                + "system_card.os,system_card.driver_version\r\n"
                + "local,1.5,2.0,1.0,0.008,250.0,,3.0,3.0,4.8,4.96,512.5,,,0.1,compute,"
                + ",0.0,1,\"Test CPU, 3.5 GHz\",15.6,,2.10.0,,fp32,2,64x48,Linux 6.1,\r\n");
  }

  @Test
  void aRemoteModelsCountsAreNotApplicable() throws IOException {
    assertThat(written(Reports.api()))
        .endsWith("\r\napi,N/A (API),N/A (API),N/A (API),,,,,,,,,,\r\n");
  }

  @Test
  void quotesWhatWouldEndAField() throws IOException {
    SystemCard card =
        SystemCard.builder().cpuName("a \"b\"").os("x\r\ny").driverVersion("1,2").build();
    EfficiencyReport api = Reports.api();
    EfficiencyMetadata metadata = api.metadata().toBuilder().systemCard(card).build();
    EfficiencyReport report =
        new EfficiencyReport(
            api.model(), api.inputs(), metadata, null, api.tier2(), null, card, api.warnings());

    assertThat(written(report))
        .contains(",\"a \"\"b\"\"\",")
        .endsWith(",fp32,1,640x480,\"x\r\ny\",\"1,2\"\r\n");
  }

  private static String written(EfficiencyReport report) throws IOException {
    StringWriter out = new StringWriter();
    CsvReport.write(report, out);
    return out.toString();
  }
}
