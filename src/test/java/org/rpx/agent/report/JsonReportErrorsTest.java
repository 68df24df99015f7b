package org.rpx.agent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.rpx.agent.report.ReportGoldens.API;
import static org.rpx.agent.report.ReportGoldens.FULL;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no report, and what stands wrong in one. */
class JsonReportErrorsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          "rpx-agent/1"           ; "rpx-agent/2"          ; schema is rpx-agent/2, must be
          "rpx-agent/1"           ; 1                      ; schema must be a text
          "schema"                ; "other"                ; the key schema is missing
          "tier1"                 ; "tier9"                ; the key tier1 is missing
          "flops": 2000000000     ; "flops": -1            ; tier1.flops is -1, must be a number
          "flops": 2000000000     ; "flops": 1.5           ; tier1.flops is 1.5, must be a whole
          "flops": 2000000000     ; "flops": 1e30          ; tier1.flops is 1e30, must be a number
          "flops": 2000000000     ; "flops": "many"        ; tier1.flops must be a number or null
          "flops": 2000000000     ; "flops": NaN           ; line 60: Non-standard token 'NaN'
          "flops": 2000000000     ; "flops": 1e9999999999  ; tier1.flops is 1e9999999999
          "flops_complete": true  ; "flops_complete": null ; tier1.flops_complete must be true or
          "flops_complete"        ; "flops_done"           ; tier1 lacks flops_complete
          "params_m": 1.5         ; "params_m": -1.5       ; row.params_m is -1.5, must be
          "compute_ms": 0.1       ; "compute_ms": -0.1     ; tier2[0].compute_ms is -0.1
          "gpu": "Fast-GPU 80GB"  ; "gpu": " "             ; tier2[0] lacks gpu
          2, 4, 3, 1, 5           ; 2, 4, -3, 1, 5         ; tier3.samples_ms[2] is -3
          2, 4, 3, 1, 5           ; 2, 4, 3e10, 1, 5       ; at most 104 days
          2, 4, 3, 1, 5           ; 2, 4, 3, 1             ; tier3 has 4 samples_ms and 5 starts_ms
          2, 4, 3, 1, 5           ; null                   ; tier3.samples_ms[0] is null
          "batch": 2              ; "batch": 0             ; tier3.batch is 0, must be 1 to
          "type": "local"         ; "type": "remote"       ; row.type is remote, must be local or
          OVERSUBSCRIBED          ; UNHEARD_OF             ; warnings[0].code is UNHEARD_OF
          "path"                  ; "file"                 ; model lacks path and format
          "bottleneck_fast        ; "bottlenecked_fast     ; lacks row.bottleneck_fast_gpu_80gb
          "bottleneck": "compute" ; "bottleneck": "luck"   ; tier2[0].bottleneck is luck
          "warnings": [           ; "warnings": {          ; warnings must be an array
          """)
  void saysWhichKeyIsWrong(String from, String to, String message) throws IOException {
    Path file = file(FULL.replace(from, to));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(file))
        .withMessageStartingWith(file + ": not an rpx-agent report: ")
        .withMessageContaining(message);
  }

  @Test
  void aLocalModelWithoutTier1HasItsReason() throws IOException {
    String local = API.replace("\"type\": \"api\"", "\"type\": \"local\"");
    String why = "{\"code\": \"UNAVAILABLE\", \"message\": \"tier 1: compiled\"}";

    EfficiencyReport report =
        JsonReport.read(file(local.replace("\"warnings\": []", "\"warnings\": [" + why + "]")));

    assertThat(report.tier1()).isNull();
    assertThat(report.metadata().modelType()).isEqualTo("local");
  }

  @Test
  void aLocalModelHasTier1() throws IOException {
    Path file = file(API.replace("\"type\": \"api\"", "\"type\": \"local\""));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(file))
        .withMessageContaining("tier1 is null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          ''          ; must be a JSON object
          []          ; must be a JSON object
          hello       ; line 1: Unrecognized token 'hello'
          <html>      ; line 1: Unexpected character ('<'
          {"schema"   ; line 1: Unexpected end-of-input
          {} {}       ; goes on after the report's end
          """)
  void saysWhatIsNoReportAtAll(String text, String message) throws IOException {
    Path file = file(text);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(file))
        .withMessageStartingWith(file + ": not an rpx-agent report: ")
        .withMessageContaining(message);
  }

  @Test
  void bytesThatAreNoTextAreNoReport() throws IOException {
    byte[][] cases = {{'{', '"', (byte) 0xff, '"'}, {0, 0, (byte) 0xff, (byte) 0xff, 0, 0, 0, 1}};
    for (byte[] bytes : cases) {
      Path file = Files.write(folder.resolve("binary"), bytes);

      assertThatIllegalArgumentException()
          .isThrownBy(() -> JsonReport.read(file))
          .withMessageContaining("not an rpx-agent report");
    }
  }

  @Test
  void depthIsBounded() throws IOException {
    for (String key : List.of("new", "system", "tier2")) {
      Path file = file("{\"" + key + "\": " + "[".repeat(100_000));

      assertThatIllegalArgumentException()
          .isThrownBy(() -> JsonReport.read(file))
          .withMessageContaining("not an rpx-agent report");
    }
    Path deep = file("{\"system\": {\"x\": " + "{\"x\":".repeat(100_000));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(deep))
        .withMessageContaining("nesting depth");
  }

  @Test
  void whatIsKeptIsBounded() throws IOException {
    Path file = file("{\"system\": {\"x\": [" + "1,".repeat(2_000_000) + "1]}}");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(file))
        .withMessageContaining("system.x[")
        .withMessageContaining("larger than any");
  }

  @Test
  void messagesCannotSteerATerminal() throws IOException {
    Path file = file(FULL.replace("rpx-agent/1", "\\u001b[2Jx"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonReport.read(file))
        .withMessageContaining("schema is ?[2Jx");
  }

  @Test
  void aMissingFileIsAnInputError() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> JsonReport.read(folder.resolve("none.json")));
  }

  private Path file(String json) throws IOException {
    return Files.writeString(folder.resolve("report.json"), json);
  }
}
