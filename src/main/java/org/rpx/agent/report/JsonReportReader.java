package org.rpx.agent.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rpx.agent.host.SystemCard;
import org.rpx.agent.measure.Measurement;
import org.rpx.agent.tier1.ModelProperties;

/** Reads a report's keys in any order; those that nothing can do without have to be there. */
final class JsonReportReader {
  private static final List<String> REQUIRED = List.of("schema", "model", "row", "tier1");

  private final JsonCursor json;
  private EfficiencyReport.Model model;
  private final List<EfficiencyReport.Input> inputs = new ArrayList<>();
  private final JsonRowReader row;
  private ModelProperties tier1;
  private final List<EfficiencyReport.Bound> tier2 = new ArrayList<>();
  private Measurement tier3;
  private SystemCard system;
  private final List<Warning> warnings = new ArrayList<>();

  private final Path folder;

  private JsonReportReader(JsonCursor json, Path folder) {
    this.json = json;
    this.folder = folder;
    this.row = new JsonRowReader(json);
  }

  /**
   * Reads one report.
   *
   * @param source what error messages call {@code in}
   * @param folder where a file of samples lies beside it
   * @throws IllegalArgumentException if {@code in} holds no report
   */
  static EfficiencyReport read(String source, InputStream in, Path folder) throws IOException {
    try (JsonCursor json = new JsonCursor(source, in)) {
      return new JsonReportReader(json, folder).report(source);
    } catch (JacksonException e) {
      String line = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw JsonCursor.wrong(source, line + e.getOriginalMessage());
    } catch (CharConversionException e) {
      throw JsonCursor.wrong(source, e.getMessage());
    }
  }

  private EfficiencyReport report(String source) throws IOException {
    if (json.next() != JsonToken.START_OBJECT) {
      throw json.wrong("must be a JSON object");
    }
    Set<String> seen = new HashSet<>();
    json.object(
        key -> {
          if (REQUIRED.contains(key)) {
            seen.add(key);
          }
          value(key);
        });
    if (json.next() != null) {
      throw json.wrong("goes on after the report's end");
    }
    for (String key : REQUIRED) {
      if (!seen.contains(key)) {
        throw JsonCursor.wrong(source, "the key " + key + " is missing");
      }
    }
    EfficiencyMetadata metadata = row.metadata(tier1, tier2, system);
    // Of a local model only a warning can say why.
    if (tier1 == null
        && !metadata.modelType().equals(EfficiencyMetadata.API)
        && warnings.stream().noneMatch(Warning::explainsNoTier1)) {
      throw JsonCursor.wrong(
          source, "tier1 is null, yet row.type says that the model is local, and no warning why");
    }
    return new EfficiencyReport(model, inputs, metadata, tier1, tier2, tier3, system, warnings);
  }

  private void value(String key) throws IOException {
    switch (key) {
      case "schema" -> schema();
      case "model" -> model = model();
      case "inputs" -> json.array(none -> inputs.add(input()));
      case "row" -> row.read();
      case "tier1" -> tier1 = json.isNull() ? null : JsonTier1Reader.read(json);
      case "tier2" -> json.array(none -> tier2.add(bound()));
      case "tier3" -> tier3 = json.isNull() ? null : JsonTier3Reader.read(json, folder);
      case "system" -> system = json.isNull() ? null : JsonRowReader.card(json);
      case "warnings" -> json.array(none -> warnings.add(warning()));
      default -> json.skip();
    }
  }

  private void schema() throws IOException {
    String schema = json.text();
    if (!EfficiencyReport.SCHEMA.equals(schema)) {
      throw json.wrong(
          "is " + schema + ", must be " + EfficiencyReport.SCHEMA + "; profile the model again");
    }
  }

  private EfficiencyReport.Model model() throws IOException {
    String[] texts = new String[3];
    Long[] bytes = new Long[1];
    json.object(
        key -> {
          switch (key) {
            case "path" -> texts[0] = json.required(json.text());
            case "format" -> texts[1] = json.required(json.text());
            case "bytes" -> bytes[0] = json.count();
            case "sha256" -> texts[2] = json.text();
            default -> json.skip();
          }
        });
    requireAll("path and format", texts[0], texts[1]);
    return new EfficiencyReport.Model(texts[0], texts[1], bytes[0], texts[2]);
  }

  private EfficiencyReport.Input input() throws IOException {
    String[] texts = new String[3];
    List<Long> shape = new ArrayList<>();
    json.object(
        key -> {
          switch (key) {
            case "name" -> texts[0] = json.text();
            case "shape" -> json.array(none -> shape.add(json.required(json.count())));
            case "dtype" -> texts[1] = json.text();
            case "values" -> texts[2] = json.text();
            default -> json.skip();
          }
        });
    return new EfficiencyReport.Input(texts[0], shape, texts[1], texts[2]);
  }

  private EfficiencyReport.Bound bound() throws IOException {
    String[] texts = new String[3];
    Double[] ms = new Double[4];
    List<Map<String, Double>> shares = new ArrayList<>();
    json.object(
        key -> {
          switch (key) {
            case "gpu" -> texts[0] = json.required(json.text());
            case "precision" -> texts[1] = json.text();
            case "compute_ms" -> ms[0] = json.number();
            case "memory_ms" -> ms[1] = json.number();
            case "latency_ms" -> ms[2] = json.number();
            case "bottleneck" -> texts[2] = JsonRowReader.bottleneck(json);
            case "op_by_op_ms" -> ms[3] = json.number();
            case "share_by_op" -> {
              if (!json.isNull()) shares.add(json.numbers());
            }
            default -> json.skip();
          }
        });
    if (texts[0] == null || texts[0].isBlank()) {
      throw json.wrong("lacks gpu");
    }
    return new EfficiencyReport.Bound(
        texts[0],
        texts[1],
        ms[0],
        ms[1],
        ms[2],
        texts[2],
        ms[3],
        shares.isEmpty() ? null : shares.get(shares.size() - 1));
  }

  private Warning warning() throws IOException {
    Warning.Code[] code = new Warning.Code[1];
    String[] message = new String[1];
    json.object(
        key -> {
          switch (key) {
            case "code" -> code[0] = code(json.required(json.text()));
            case "message" -> message[0] = json.required(json.text());
            default -> json.skip();
          }
        });
    requireAll("code and message", code[0], message[0]);
    return new Warning(code[0], message[0]);
  }

  private Warning.Code code(String name) {
    return Arrays.stream(Warning.Code.values())
        .filter(code -> code.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> json.wrong("is " + name + ", which a newer rpx-agent may know; read it there"));
  }

  private void requireAll(String keys, Object... values) {
    if (Arrays.asList(values).contains(null)) {
      throw json.wrong("lacks " + keys);
    }
  }
}
