package org.rpx.agent.arrays;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.rpx.agent.trace.InputSpec;

/**
 * Reads inputs from a JSON file: an object from forward's arguments to values, or an array of
 * values in the arguments' order. A value is a text as on the command line, {@code {"shape": [..],
 * "dtype": .., "fill": ..}} (or {@code "range": [low, high]}), {@code {"npy": "file.npy"}} beside
 * the JSON file, an array (a list), {@code {"tuple": [..]}} or {@code {"dict": {..}}}. Any threads
 * may read at once.
 */
public final class InputsFile {
  private static final long LARGEST = 16L << 20;
  private static final int DEEPEST = 100;
  private static final int MOST_SHOWN = 200;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNameLength(1000)
                  .maxDocumentLength(LARGEST)
                  .build())
          .build();

  private final Path file;
  private final JsonParser json;

  private InputsFile(Path file, JsonParser json) {
    this.file = file;
    this.json = json;
  }

  /**
   * The inputs of a file, named where it names them.
   *
   * @throws IllegalArgumentException that names the file, where it holds no inputs, or is larger
   *     than 16 MiB or deeper than 100 levels
   */
  public static List<InputSpec> read(Path file) {
    try (InputStream in = Files.newInputStream(file);
        JsonParser json = FACTORY.createParser(in)) {
      return new InputsFile(file, json).arguments();
    } catch (StreamConstraintsException e) {
      throw wrong(file, "is too much: 16 MiB, 100 levels and names of 1000 characters at most");
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      String what = e.getOriginalMessage().replaceAll("\\s+", " ");
      throw wrong(file, "line " + line + " is not the JSON of inputs: " + what);
    } catch (IOException e) {
      throw wrong(file, "cannot be read: " + Reason.of(e) + "; name a JSON file of inputs");
    }
  }

  private List<InputSpec> arguments() throws IOException {
    JsonToken first = json.nextToken();
    if (first != JsonToken.START_OBJECT && first != JsonToken.START_ARRAY)
      throw wrong("has to be an object of inputs by argument, or an array of inputs");
    List<InputSpec> inputs = new ArrayList<>();
    if (first == JsonToken.START_ARRAY) inputs.addAll(items());
    else named().forEach((name, input) -> inputs.add(input.withName(name)));
    if (json.nextToken() != null) throw wrong(file, "goes on after its inputs; keep one value");
    return inputs;
  }

  private List<InputSpec> items() throws IOException {
    List<InputSpec> items = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) items.add(value());
    return items;
  }

  private Map<String, InputSpec> named() throws IOException {
    Map<String, InputSpec> items = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      InputSpec value = value();
      if (value.name() != null) throw wrong("has a name of its own; leave it to the key");
      items.put(name, value);
    }
    return items;
  }

  private InputSpec value() throws IOException {
    switch (json.currentToken()) {
      case VALUE_STRING:
        return parse(json.getText());
      case START_ARRAY:
        return new InputSpec.Sequence(null, "list", items());
      case START_OBJECT:
        return object();
      default:
        throw wrong("has to be a text like 1x3x224x224:float32, an object or an array");
    }
  }

  private InputSpec object() throws IOException {
    InputSpec whole = null;
    Map<String, String> parts = new LinkedHashMap<>();
    int keys = 0;
    for (; json.nextToken() != JsonToken.END_OBJECT; keys++) {
      String key = json.currentName();
      JsonToken token = json.nextToken();
      switch (key) {
        case "npy" -> whole = npy();
        case "tuple" -> whole = tuple();
        case "dict" -> whole = dict();
        case "shape" -> parts.put(key, shape());
        case "range" -> parts.put("fill", range());
        case "dtype", "fill" -> {
          if (!token.isScalarValue()) throw wrong("has to be one value");
          parts.put(key, json.getText());
        }
        default ->
            throw wrong("is unknown; there are shape, dtype, fill, range, npy, tuple and dict");
      }
    }
    if (whole != null && keys == 1) return whole;
    if (whole != null) throw wrong("has another key beside npy, tuple or dict; each stands alone");
    if (!parts.containsKey("shape")) throw wrong("has no shape, npy, tuple or dict");
    if (keys > parts.size()) throw wrong("has a fill and a range; give one");
    String dtype = parts.containsKey("dtype") ? ":" + parts.get("dtype") : "";
    String fill = parts.containsKey("fill") ? "=" + parts.get("fill") : "";
    // One grammar, and one set of checks, for the command line and for this.
    return parse(parts.get("shape") + dtype + fill);
  }

  private InputSpec tuple() throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) throw wrong("has to be an array of inputs");
    return new InputSpec.Sequence(null, "tuple", items());
  }

  private InputSpec dict() throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) throw wrong("has to be an object of inputs");
    Map<String, InputSpec> items = named();
    return checked(() -> new InputSpec.Dict(null, items));
  }

  private InputSpec npy() throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) throw wrong("has to be a file's name");
    String name = json.getText();
    return checked(() -> Npy.read(null, file.resolveSibling(name)));
  }

  private String shape() throws IOException {
    List<String> sizes = integers();
    return sizes.isEmpty() ? "scalar" : String.join("x", sizes);
  }

  private String range() throws IOException {
    List<String> ends = integers();
    if (ends.size() != 2) throw wrong("has to be [low, high]");
    return ends.get(0) + ".." + ends.get(1);
  }

  private List<String> integers() throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) throw wrong("has to be an array of integers");
    List<String> numbers = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) throw wrong("has to be an integer");
      numbers.add(json.getText());
    }
    return numbers;
  }

  private InputSpec parse(String text) {
    return checked(() -> InputSpec.parse(text));
  }

  private InputSpec checked(Supplier<InputSpec> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  /** What is wrong with the value that the cursor is on. */
  private IllegalArgumentException wrong(String what) {
    String at = json.getParsingContext().pathAsPointer().toString();
    String shown = at.length() <= MOST_SHOWN ? at : at.substring(0, MOST_SHOWN) + "…";
    return wrong(file, (shown.isEmpty() ? "" : shown + ": ") + what);
  }

  private static IllegalArgumentException wrong(Path file, String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
