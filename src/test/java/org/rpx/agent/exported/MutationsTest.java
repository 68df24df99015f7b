package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.tier1.FlopRegistry;
import org.rpx.agent.tier1.ModelProperties;
import org.rpx.agent.tier1.TrafficModel;

/** Whatever a file holds: it is read, or refused in one line. */
class MutationsTest {
  private static final JsonNodeFactory NEW = JsonNodeFactory.instance;

  /** Of each file and kind; -Drpx.mutations=5000 for a long run. */
  static final int TIMES = Integer.getInteger("rpx.mutations", 300);

  /** Thousands of times what the largest of these files takes. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"export_dict_input", "derived", "modes", "branch", "guarded", "old_layout"})
  void ofJson(String name) throws IOException {
    Random random = new Random(name.hashCode());
    TestArchive original = TestArchive.of(name);
    for (int i = 0; i < TIMES; i++) {
      TestArchive archive = TestArchive.of(name);
      List<String> members =
          original.members.keySet().stream().filter(n -> n.endsWith(".json")).toList();
      String member =
          members.get(random.nextInt(4) > 0 ? largest(original) : random.nextInt(members.size()));
      JsonNode json = original.json(member);
      for (int m = random.nextInt(3); m >= 0; m--) mutate(json, random);
      check(archive.with(member, json).write(folder.resolve("m.pt2")));
    }
  }

  private static int largest(TestArchive archive) {
    List<String> members =
        archive.members.keySet().stream().filter(n -> n.endsWith(".json")).toList();
    int largest = 0;
    for (int i = 0; i < members.size(); i++) {
      if (archive.members.get(members.get(i)).length
          > archive.members.get(members.get(largest)).length) largest = i;
    }
    return largest;
  }

  @ParameterizedTest
  @ValueSource(strings = {"derived", "guarded", "old_layout"})
  void ofText(String name) throws IOException {
    Random random = new Random(name.hashCode());
    TestArchive original = TestArchive.of(name);
    String member = original.member(name.equals("old_layout") ? "program.json" : "model.json");
    for (int i = 0; i < TIMES; i++) {
      byte[] bytes = original.members.get(member).clone();
      for (int m = random.nextInt(3); m >= 0; m--)
        bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(95));
      TestArchive archive = TestArchive.of(name);
      archive.members.put(member, bytes);
      check(archive.write(folder.resolve("t.pt2")));
    }
  }

  static void check(Path file) {
    assertTimeout(LONGEST, () -> count(file));
  }

  private static void count(Path file) {
    try {
      ExportedProgram.isArchive(file);
      ExportedProgram program = ExportedProgram.read(file);
      program.deadProducts();
      ModelProperties.of(
          program.trace(program.sampleInputs()),
          program.weights(),
          FlopRegistry.standard(),
          TrafficModel.COMPULSORY,
          true);
    } catch (ArithmeticException e) {
      assertThat(e.getMessage()).matches("(its|FLOPs|bytes) [\\w ]+");
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).startsWith(file + ": ").doesNotContain("\n").contains("; ");
      assertThat(e.getMessage().length()).isLessThan(1100);
    }
  }

  /** Drops, replaces or doubles one value anywhere in the tree. */
  private static void mutate(JsonNode json, Random random) {
    List<JsonNode> containers = new ArrayList<>();
    collect(json, containers);
    JsonNode in = containers.get(random.nextInt(containers.size()));
    if (in.isEmpty()) return;
    int at = random.nextInt(in.size());
    if (in instanceof ArrayNode array) {
      switch (random.nextInt(3)) {
        case 0 -> array.remove(at);
        case 1 -> array.set(at, other(array.get(at), random));
        default -> array.insert(at, array.get(random.nextInt(array.size())));
      }
    } else if (in instanceof ObjectNode object) {
      List<String> keys = new ArrayList<>();
      object.fieldNames().forEachRemaining(keys::add);
      String key = keys.get(at);
      switch (random.nextInt(3)) {
        case 0 -> object.remove(key);
        case 1 -> object.set(key, other(object.get(key), random));
        default -> {
          JsonNode value = object.remove(key);
          object.set(keys.get(random.nextInt(keys.size())) + "_", value);
        }
      }
    }
  }

  private static void collect(JsonNode json, List<JsonNode> into) {
    if (!json.isContainerNode()) return;
    into.add(json);
    for (JsonNode child : json) collect(child, into);
  }

  private static JsonNode other(JsonNode value, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> NEW.nullNode();
      case 1 -> NEW.numberNode(-1);
      case 2 -> NEW.numberNode(Long.MAX_VALUE);
      case 3 -> NEW.numberNode(Long.MIN_VALUE);
      case 4 -> NEW.numberNode(BigInteger.TEN.pow(40));
      case 5 -> NEW.numberNode(1.5e300);
      case 6 -> NEW.textNode("");
      case 7 -> NEW.textNode("x\n\u0000\u2028'\"" + "y".repeat(random.nextInt(3000)));
      case 8 -> NEW.booleanNode(random.nextBoolean());
      case 9 -> NEW.arrayNode();
      case 10 -> NEW.objectNode();
      default -> NEW.numberNode(value.asLong() ^ (1L << random.nextInt(63)));
    };
  }
}
