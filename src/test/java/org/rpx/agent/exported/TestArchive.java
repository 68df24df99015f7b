package org.rpx.agent.exported;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Archives of the tests: those among the resources, and changed copies of them. */
final class TestArchive {
  static final ObjectMapper JSON = new ObjectMapper();

  final Map<String, byte[]> members = new LinkedHashMap<>();

  /** The members of a resource that are read; the others would only take time. */
  static TestArchive of(String name) throws IOException {
    TestArchive archive = new TestArchive();
    try (ZipFile zip = new ZipFile(resource(name).toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(e -> (ZipEntry) e)::iterator) {
        if (entry.getName().endsWith(".pt")) continue;
        try (InputStream in = zip.getInputStream(entry)) {
          archive.members.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return archive;
  }

  /** One whose only members are a graph and an empty table of weights. */
  static TestArchive ofGraph(String json) {
    TestArchive archive = new TestArchive();
    archive.members.put("m/models/model.json", json.getBytes(StandardCharsets.UTF_8));
    archive.members.put(
        "m/data/weights/model_weights_config.json",
        "{\"config\": {}}".getBytes(StandardCharsets.UTF_8));
    return archive;
  }

  static Path resource(String name) {
    try {
      return Path.of(TestArchive.class.getResource("/exported/" + name + ".pt2").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The full name of the member that ends so. */
  String member(String end) {
    return members.keySet().stream().filter(n -> n.endsWith(end)).findFirst().orElseThrow();
  }

  JsonNode json(String end) throws IOException {
    return JSON.readTree(members.get(member(end)));
  }

  TestArchive with(String end, JsonNode json) throws IOException {
    members.put(member(end), JSON.writeValueAsBytes(json));
    return this;
  }

  /** With a text in a member put for another. */
  TestArchive replacing(String end, String text, String by) {
    String before = new String(members.get(member(end)), StandardCharsets.UTF_8);
    if (!before.contains(text)) throw new IllegalArgumentException("no " + text);
    members.put(member(end), before.replace(text, by).getBytes(StandardCharsets.UTF_8));
    return this;
  }

  Path write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(1);
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(new ZipEntry(member.getKey()));
        zip.write(member.getValue());
        zip.closeEntry();
      }
    }
    return file;
  }
}
