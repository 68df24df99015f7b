package org.rpx.agent.exported;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.exported.ProgramReader.Version;

/**
 * The JSON members of a {@code .pt2} file. Members are only ever looked up by name, never unpacked,
 * and weights are not opened.
 */
final class Archive {
  private static final Pattern MODEL = Pattern.compile("([^/]+/)?models/([^/]+)\\.json");
  private static final Pattern OLD = Pattern.compile("([^/]+/)?serialized_exported_program\\.json");

  /** Names of values are keys here, and there are too many of them to keep in a table. */
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

  private final ZipFile zip;
  private final List<String> names = new ArrayList<>();
  private final Set<String> stored = new HashSet<>();

  /**
   * What an archive says.
   *
   * @param weights by dotted name; without those of a pickle that is compressed
   * @param root folder of all members, with its slash; "" for none
   * @param stored members whose bytes lie in the file as they are
   */
  record Contents(
      Version version,
      Program program,
      Map<String, Payload> weights,
      String root,
      Set<String> stored) {}

  private Archive(ZipFile zip) {
    this.zip = zip;
    zip.stream()
        .forEach(
            entry -> {
              names.add(entry.getName());
              if (entry.getMethod() == ZipEntry.STORED) stored.add(entry.getName());
            });
  }

  static boolean isArchive(Path file) {
    boolean named = file.toString().endsWith(".pt2");
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) return named;
    try (ZipFile zip = open(file)) {
      List<String> names = new Archive(zip).names;
      if (names.stream().anyMatch(Archive::ofExport)) return true;
      return named && names.stream().noneMatch(Archive::ofTorchScript);
    } catch (IOException | IllegalArgumentException e) {
      return named;
    }
  }

  private static ZipFile open(Path file) throws IOException {
    ZipDirectory.check(file.toFile());
    return new ZipFile(file.toFile());
  }

  private static boolean ofTorchScript(String name) {
    return name.endsWith("/constants.pkl");
  }

  private static boolean ofExport(String name) {
    return name.matches("([^/]+/)?archive_format")
        || MODEL.matcher(name).matches()
        || OLD.matcher(name).matches();
  }

  static Contents read(Path file) {
    if (!Files.exists(file)) throw new GraphException("no such file; check the path");
    if (Files.isDirectory(file))
      throw new GraphException("it is a folder; name the .pt2 file in it");
    // Of a pipe nothing may ever come.
    if (!Files.isRegularFile(file))
      throw new GraphException("it is no regular file; name the .pt2 file itself");
    if (!Files.isReadable(file))
      throw new GraphException("it may not be read; check its permissions");
    if (!startsAsZip(file))
      throw new GraphException(
          "it is no zip archive, which a .pt2 file is; export the model again with"
              + " torch.export.save");
    try (ZipFile zip = open(file)) {
      return new Archive(zip).contents();
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw damaged(e);
    }
  }

  private static boolean startsAsZip(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(2);
      return start.length == 2 && start[0] == 'P' && start[1] == 'K';
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private static GraphException damaged(Exception e) {
    String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return new GraphException("it is damaged (" + reason + "); copy or export it again");
  }

  private Contents contents() {
    String member = only(MODEL);
    if (member != null) {
      Matcher matcher = MODEL.matcher(member);
      if (!matcher.matches()) throw new IllegalStateException(member);
      String root = matcher.group(1) == null ? "" : matcher.group(1);
      return contents(member, root, () -> weights(root, matcher.group(2)));
    }
    String old = only(OLD);
    if (old == null) throw new GraphException(whatItIsInstead());
    // Torch 2.5 to 2.7.
    String root = old.substring(0, old.lastIndexOf('/') + 1);
    return contents(
        old,
        root,
        () -> pickled(root + "serialized_state_dict.pt", root + "serialized_constants.pt"));
  }

  private Map<String, Payload> pickled(String... members) {
    try {
      return PickledWeights.read(Path.of(zip.getName()), List.of(members));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Payload> weights(String root, String model) {
    Map<String, Payload> weights = new HashMap<>();
    for (String kind : List.of("weights", "constants")) {
      String folder = root + "data/" + kind + "/";
      String config = folder + model + "_" + kind + "_config.json";
      if (names.contains(config)) {
        Map<String, Payload> found = read(config, json -> new ProgramReader(json).payloads());
        // Paths are of one folder, and weight_0 of one is not that of the other.
        found.forEach(
            (name, p) ->
                weights.put(
                    name,
                    new Payload(
                        folder + p.path(), p.parameter(), p.meta(), p.object(), p.region())));
      } else if (names.contains(folder + model + ".pt")) {
        weights.putAll(pickled(folder + model + ".pt")); // Torch 2.8
      } else if (kind.equals("weights")) {
        throw new GraphException("it has no " + config + "; copy or export it again");
      }
    }
    return weights;
  }

  /** The member of that kind; of several the one that torch.export.save writes. */
  private String only(Pattern kind) {
    List<String> found = names.stream().filter(n -> kind.matcher(n).matches()).distinct().toList();
    if (found.size() <= 1) return found.isEmpty() ? null : found.get(0);
    for (String name : found) if (name.endsWith("models/model.json")) return name;
    throw new GraphException(
        "it holds several programs ("
            + String.join(", ", found.subList(0, Math.min(3, found.size())))
            + "); save one with torch.export.save");
  }

  private String whatItIsInstead() {
    if (names.stream().anyMatch(n -> n.contains("data/aotinductor/")))
      return "it is an AOTInductor package, which holds native code and no graph to count; count"
          + " the program that it was compiled from, saved with torch.export.save";
    if (names.stream().anyMatch(Archive::ofTorchScript))
      return "it is TorchScript, not a torch.export archive; name it .pt";
    return "it has no models/model.json, as a torch.export archive has; export the model again with"
        + " torch.export.save";
  }

  private Contents contents(String member, String root, Supplier<Map<String, Payload>> weights) {
    ProgramReader[] reader = {null};
    Program program;
    try {
      program =
          read(
              member,
              json -> {
                reader[0] = new ProgramReader(json);
                return reader[0].program();
              });
    } catch (GraphException e) {
      // Where all else is unknown, the version tells why.
      Version version = versionOrNull(member);
      if (version != null) known(version);
      throw e;
    }
    return new Contents(known(reader[0].version()), program, weights.get(), root, stored);
  }

  private Version versionOrNull(String member) {
    try {
      return read(member, json -> new ProgramReader(json).versionOnly());
    } catch (GraphException e) {
      return null;
    }
  }

  private static Version known(Version version) {
    if (version.major() == 7 || version.major() == 8) return version;
    throw new GraphException(
        "its schema version is "
            + version.major()
            + "."
            + version.minor()
            + (version.torch() == null ? "" : ", of torch " + version.torch())
            + ", and 7 and 8 are known here; export it with torch 2.5 or later, or use a newer"
            + " rpx-agent");
  }

  private <T> T read(String member, Function<JsonIn, T> reader) {
    try (InputStream in = BoundedMember.open(zip, member);
        JsonParser parser = JSON.createParser(in)) {
      T result = reader.apply(new JsonIn(parser, member));
      // To its end, where the checksum is compared.
      in.transferTo(OutputStream.nullOutputStream());
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
