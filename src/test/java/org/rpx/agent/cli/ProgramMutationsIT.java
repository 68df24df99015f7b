package org.rpx.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.ModelSource;
import org.rpx.agent.Plan;
import org.rpx.agent.Rpx;
import org.rpx.agent.Session;
import org.rpx.agent.SessionOptions;
import org.rpx.agent.engine.NativeException;

/** Whatever a torch.export archive holds: it runs, or is refused in one line. */
class ProgramMutationsIT {
  private static final int EACH = 250;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"export_dynamic_batch", "export_policy_lstm", "modes", "branch"})
  void runOrAreRefused(String name) {
    Path whole = Agent.HOME.resolve("src/test/resources/exported/" + name + ".pt2");
    String classes =
        ProgramMutationsIT.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String libraries = Agent.HOME.resolve("target/lib/*").toString();
    Agent agent = new Agent(folder).within(24_000_000);

    Agent.Result result =
        agent.finish(
            agent.java(
                List.of(
                    "-cp",
                    Agent.jar() + ":" + libraries + ":" + classes,
                    Attempts.class.getName(),
                    whole.toString())));

    List<String> lines = result.out().lines().toList();
    assertThat(result.exit())
        .as("after %s attempts; it said: %s", lines.size(), result.err())
        .isZero();
    assertThat(lines).hasSize(1 + EACH);
    assertThat(lines.get(0)).isEqualTo("ran");
    assertThat(lines).allMatch(l -> l.equals("ran") || l.startsWith("refused "));
    assertThat(lines).filteredOn(l -> l.startsWith("refused ")).hasSizeGreaterThan(EACH / 4);
  }

  /** The child. */
  static final class Attempts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NEW = JsonNodeFactory.instance;

    private Attempts() {}

    public static void main(String[] arguments) throws IOException {
      Path whole = Path.of(arguments[0]);
      System.out.println(outcome(whole));
      Random random = new Random(20261130);
      byte[] bytes = Files.readAllBytes(whole);
      Path changed = Files.createTempFile("changed", ".pt2");
      for (int i = 0; i < EACH; i++) {
        if (random.nextInt(5) == 0) Files.write(changed, damaged(bytes, random));
        else write(mutated(members(whole), random), changed);
        System.out.println(outcome(changed));
      }
    }

    private static String outcome(Path model) {
      try (Session session =
          Rpx.session(ModelSource.of(model), SessionOptions.of(Plan.defaults()).withWarmup(0))) {
        session.run();
        session.outputs();
        return "ran";
      } catch (NativeException | IllegalArgumentException e) {
        boolean oneLine = e.getMessage().chars().noneMatch(Character::isISOControl);
        return (oneLine ? "refused " : "ODD ") + e.getMessage().replaceAll("\\p{Cntrl}", "?");
      } catch (Throwable t) {
        return "threw " + t.toString().replaceAll("\\p{Cntrl}", "?");
      }
    }

    private static byte[] damaged(byte[] whole, Random random) {
      int at = random.nextInt(whole.length);
      if (random.nextBoolean()) return Arrays.copyOf(whole, at);
      byte[] copy = whole.clone();
      copy[at] ^= (byte) (1 << random.nextInt(8));
      return copy;
    }

    /** Values of the graph or of the weights' table are others; or a weight is shorter. */
    private static Map<String, byte[]> mutated(Map<String, byte[]> members, Random random)
        throws IOException {
      List<String> tables = members.keySet().stream().filter(n -> n.endsWith(".json")).toList();
      List<String> weights =
          members.keySet().stream().filter(n -> n.matches(".*/data/weights/[^.]*")).toList();
      if (random.nextInt(6) == 0 && !weights.isEmpty()) {
        String weight = weights.get(random.nextInt(weights.size()));
        int length = members.get(weight).length;
        members.put(weight, Arrays.copyOf(members.get(weight), random.nextInt(2 * length + 1)));
        return members;
      }
      String graph = tables.stream().filter(n -> n.contains("models/")).findFirst().orElseThrow();
      String table = random.nextInt(4) > 0 ? graph : tables.get(random.nextInt(tables.size()));
      JsonNode json = JSON.readTree(members.get(table));
      for (int m = random.nextInt(3); m >= 0; m--) mutate(json, random);
      members.put(table, JSON.writeValueAsBytes(json));
      return members;
    }

    private static void mutate(JsonNode json, Random random) {
      List<JsonNode> inner = new ArrayList<>();
      collect(json, inner);
      JsonNode in = inner.get(random.nextInt(inner.size()));
      if (in.isEmpty()) return;
      int at = random.nextInt(in.size());
      if (in instanceof ArrayNode array) array.set(at, other(array.get(at), array, random));
      else if (in instanceof ObjectNode object) {
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        object.set(keys.get(at), other(object.get(keys.get(at)), object, random));
      }
    }

    private static void collect(JsonNode json, List<JsonNode> into) {
      if (!json.isContainerNode()) return;
      into.add(json);
      for (JsonNode child : json) collect(child, into);
    }

    private static JsonNode other(JsonNode value, JsonNode siblings, Random random) {
      return switch (random.nextInt(8)) {
        case 0 -> NEW.nullNode();
        case 1 -> NEW.numberNode(-1);
        case 2 -> NEW.numberNode(1L << random.nextInt(63));
        case 3 -> NEW.textNode("x");
        case 4 -> NEW.booleanNode(random.nextBoolean());
        case 5 -> NEW.numberNode(value.asLong() + random.nextInt(3) - 1);
        case 6 -> NEW.arrayNode();
        default -> {
          int which = random.nextInt(siblings.size());
          for (JsonNode sibling : siblings) if (which-- == 0) yield sibling.deepCopy();
          yield value;
        }
      };
    }

    private static Map<String, byte[]> members(Path archive) throws IOException {
      Map<String, byte[]> members = new LinkedHashMap<>();
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator)
          try (InputStream in = zip.getInputStream(entry)) {
            members.put(entry.getName(), in.readAllBytes());
          }
      }
      return members;
    }

    private static void write(Map<String, byte[]> members, Path file) throws IOException {
      try (OutputStream out = Files.newOutputStream(file);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        for (Map.Entry<String, byte[]> member : members.entrySet()) {
          zip.putNextEntry(new ZipEntry(member.getKey()));
          zip.write(member.getValue());
          zip.closeEntry();
        }
      }
    }
  }
}
