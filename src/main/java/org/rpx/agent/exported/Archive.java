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
   * @param weights by dotted name; empty where the archive keeps them as a pickle
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
    if (!Files.isRegularFile(file) || !Files.isReadable(file) || !startsAsZip(file)) return false;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().map(ZipEntry::getName).anyMatch(Archive::ofExport);
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether it holds compiled code and no graph. */
  static boolean isCompiled(Path file) {
    if (!isArchive(file)) return false;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      List<String> names = zip.stream().map(ZipEntry::getName).toList();
      return names.stream().anyMatch(n -> n.matches("([^/]+/)?data/aotinductor/.*"))
          && names.stream().noneMatch(n -> MODEL.matcher(n).matches() || OLD.matcher(n).matches());
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean ofExport(String name) {
    return name.matches("([^/]+/)?archive_format")
        || name.matches("([^/]+/)?data/aotinductor/.*")
        || MODEL.matcher(name).matches()
        || OLD.matcher(name).matches();
  }

  static Contents read(Path file) {
    if (!Files.exists(file)) throw new GraphException("no such file; check the path");
    if (Files.isDirectory(file))
      throw new GraphException("it is a folder; name the .pt2 file in it");
    if (!Files.isReadable(file))
      throw new GraphException("it may not be read; check its permissions");
    if (!startsAsZip(file))
      throw new GraphException(
          "it is no zip archive, which a .pt2 file is; export the model again with"
              + " torch.export.save");
    try (ZipFile zip = new ZipFile(file.toFile())) {
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
    if (member != null) return contents(member);
    member = only(OLD);
    if (member == null) throw new GraphException(whatItIsInstead());
    // Torch 2.5 and 2.7: weights are a pickle; the graph tells their shapes.
    Version version = version(member);
    return new Contents(version, program(member), Map.of(), "", stored);
  }

  private Contents contents(String member) {
    Matcher matcher = MODEL.matcher(member);
    if (!matcher.matches()) throw new IllegalStateException(member);
    String root = matcher.group(1) == null ? "" : matcher.group(1);
    String model = matcher.group(2);
    Version version = version(member);
    Program program = program(member);
    Map<String, Payload> weights = new HashMap<>();
    for (String kind : List.of("weights", "constants")) {
      String folder = root + "data/" + kind + "/";
      String config = folder + model + "_" + kind + "_config.json";
      if (names.contains(config)) {
        Map<String, Payload> found = read(config, json -> new ProgramReader(json).payloads());
        // Paths are of one folder, and weight_0 of one is not that of the other.
        found.forEach(
            (name, p) ->
                weights.put(name, new Payload(folder + p.path(), p.parameter(), p.meta())));
      } else if (kind.equals("weights") && !names.contains(folder + model + ".pt")) {
        throw new GraphException("it has no " + config + "; copy or export it again");
      }
    }
    return new Contents(version, program, weights, root, stored);
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
      return "it is an AOTInductor package, which holds native code and no graph to count; name the"
          + " program that it was compiled from, saved with torch.export.save: --graph model.pt2";
    if (names.stream().anyMatch(n -> n.endsWith("/constants.pkl")))
      return "it is TorchScript, not a torch.export archive; name it .pt";
    return "it has no models/model.json, as a torch.export archive has; export the model again with"
        + " torch.export.save";
  }

  private Version version(String member) {
    Version version = read(member, ProgramReader::version);
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

  private Program program(String member) {
    return read(member, json -> new ProgramReader(json).program());
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
