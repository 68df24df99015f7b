package org.rpx.agent.tier2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuTableTest {
  private static final String HEADER =
      "name,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis\n";

  /** The reference GPUs of rpx_benchmark 0.3.7, in its order. */
  @Test
  void defaultsAreTheThreeOfRpxBenchmark() {
    assertThat(GpuTable.defaults())
        .extracting(row -> row.spec("fp32").orElseThrow())
        .containsExactly(
            new GpuSpec("A100-80GB", 19.5, 2039, 80.0, "fp32"),
            new GpuSpec("RTX 4090", 82.6, 1008, 24.0, "fp32"),
            new GpuSpec("Jetson Orin 64GB", 5.3, 204.8, 64.0, "fp32"));
  }

  @Test
  void referenceHoldsEveryGpuOfItsFile() {
    assertThat(GpuTable.reference().rows())
        .hasSize(21)
        .allSatisfy(row -> assertThat(row.peaks()).containsKey("fp32"))
        .allSatisfy(row -> assertThat(row.basis()).isNotEmpty());
  }

  @Test
  void readsKnownAndUnknownFields() {
    GpuTable table =
        parse(
            "\uFEFF# comment, with \"quotes\"\r\n\r\n"
                + HEADER
                + "My GPU, 5.3,,42.5,,,204.8,,,\r\n");

    assertThat(table.rows())
        .containsExactly(
            new GpuTable.Row("My GPU", Map.of("fp32", 5.3, "fp16", 42.5), 204.8, null, null, ""));
    assertThat(table.rows().get(0).peaks().keySet()).containsExactly("fp32", "fp16");
  }

  @Test
  void takesTheColumnsInAnyOrder() {
    assertThat(
            parse(
                    "basis,tdp_w,mem_gb,mem_gbps,int8,bf16,fp16,tf32,fp32,name\nx,7,6,5,4,3,2,1,9,G\n")
                .rows())
        .containsExactly(
            new GpuTable.Row(
                "G",
                Map.of("fp32", 9.0, "tf32", 1.0, "fp16", 2.0, "bf16", 3.0, "int8", 4.0),
                5,
                6.0,
                7.0,
                "x"));
  }

  /** A roofline at fp16 wants the fp16 peak: 312 TFLOP/s, not 19.5. */
  @Test
  void givesTheSpecOfThePrecisionAskedFor() {
    GpuTable.Row a100 = GpuTable.reference().find("A100-80GB");

    assertThat(a100.spec("fp16")).contains(new GpuSpec("A100-80GB", 312, 2039, 80.0, "fp16"));
    assertThat(GpuTable.reference().find("T4").spec("bf16")).isEmpty();
    assertThatThrownBy(() -> a100.spec("FP8"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'FP8'")
        .hasMessageContaining("fp32, tf32, fp16, bf16, int8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RTX 4090", "rtx4090", "RTX_4090", "rtx-4090", " Rtx  4090 "})
  void findsANameHoweverItIsWritten(String name) {
    assertThat(GpuTable.reference().find(name).name()).isEqualTo("RTX 4090");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a100 | did you mean A100-80GB? rpx-agent gpus lists all",
        "RTX 4900 | did you mean RTX 4090? rpx-agent gpus lists all",
        "Orin NX | did you mean Jetson Orin NX 16GB? rpx-agent gpus lists all",
        "Radeon Instinct | unknown GPU 'Radeon Instinct'; rpx-agent gpus lists all"
      })
  void namesWhatComesClose(String name, String hint) {
    assertThatThrownBy(() -> GpuTable.reference().find(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unknown GPU '" + name + "'; ")
        .hasMessageEndingWith(hint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void refusesABlankName(String name) {
    assertThatThrownBy(() -> GpuTable.reference().find(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blank");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "G,-3,,,,,100,,,x | column fp32: '-3' is not a finite number above 0",
        "G,0,,,,,100,,,x | column fp32: '0' is not a finite number above 0",
        "G,1,,,,,-100,,,x | column mem_gbps: '-100' is not a finite number above 0",
        "G,1,,,,,100,1e999,,x | column mem_gb: '1e999' is not a finite number above 0",
        "G,1,,fast,,,100,,,x | column fp16: 'fast' is not a number",
        "G,1,,NaN,,,100,,,x | column fp16: 'NaN' is not a number",
        "G,1,,,,,100,,40W,x | column tdp_w: '40W' is not a number",
        "G,1,,,,,,,,x | column mem_gbps: empty",
        ",1,,,,,100,,,x | column name: empty",
        "G,1,,,,,100,, | missing column basis",
        "G,1 | missing column tf32",
        "G,1,,,,,100,,,x,y | 11 fields for 10 columns",
        "'\"G\",1,,,,,100,,,x' | a quote",
        "first-one,1,,,,,100,,,x | column name: duplicate name 'first-one', first on line 3"
      })
  void namesTheLineAndTheColumnOfAMistake(String line, String what) {
    assertThatThrownBy(
            () -> parse("# mine\n" + HEADER + "First One,1,,,,,100,,,x\n\n" + line + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("mine.csv, line 5: " + what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name,fp32,tf32,fp16,bf16,int8,mem_gb,tdp_w,basis | missing column mem_gbps",
        "name,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis,fp8 | unknown column 'fp8'",
        "name,fp32,fp32,tf32,fp16,bf16,int8,mem_gbps,mem_gb,tdp_w,basis | column fp32 is named twice",
        "A100-80GB,19.5,156,312,312,624,2039,80,400,seed | missing column name"
      })
  void namesTheMistakeOfAHeader(String header, String what) {
    assertThatThrownBy(() -> parse(header + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("mine.csv, line 1: " + what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment\n", HEADER})
  void refusesATableWithoutRows(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("mine.csv: no rows");
  }

  @Test
  void saysWhichSourceCannotBeRead() {
    Reader broken =
        new Reader() {
          @Override
          public int read(char[] buffer, int offset, int length) throws IOException {
            throw new IOException("disk gone");
          }

          @Override
          public void close() {}
        };

    assertThatThrownBy(() -> GpuTable.parse("mine.csv", broken))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("mine.csv")
        .hasRootCauseMessage("disk gone");
  }

  @Test
  void cannotBeChanged() {
    GpuTable table = GpuTable.reference();
    List<GpuTable.Row> rows = table.rows();
    Map<String, Double> peaks = rows.get(0).peaks();

    assertThatThrownBy(() -> rows.remove(0)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> peaks.put("fp32", 1.0))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static GpuTable parse(String text) {
    return GpuTable.parse("mine.csv", new StringReader(text));
  }
}
