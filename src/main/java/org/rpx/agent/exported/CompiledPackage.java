package org.rpx.agent.exported;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.elf.ElfHeader;

/**
 * An AOTInductor package ({@code .pt2}): a model compiled to a native library. Read here without
 * loading anything of it. Immutable.
 *
 * <p>Whatever is wrong with the file is an IllegalArgumentException of one line that begins with
 * the file's path.
 */
public final class CompiledPackage {
  private static final Pattern MEMBER =
      Pattern.compile("([^/]+/)?data/aotinductor/([^/]+)/(.+)", Pattern.DOTALL);

  private final Path path;
  private final List<String> members;
  private final String library;
  private final Target target;

  private CompiledPackage(Path path, ZipFile zip) throws IOException {
    this.path = path;
    members = members(zip.stream().map(ZipEntry::getName).toList());
    library = only(".so");
    only(".blob");
    if (library == null)
      throw new GraphException(
          "it is an AOTInductor package without a compiled library (.so): compile the model again"
              + " with aot_inductor.package_cpp_only off");
    target = target(zip);
  }

  /** Whether a file is an AOTInductor package and has no exported graph of its own. */
  public static boolean is(Path path) {
    return Archive.isCompiled(path);
  }

  /**
   * Reads what a package says of itself.
   *
   * @throws IllegalArgumentException where the file is none, is damaged, or names members that
   *     would not stay in the folder that they are unpacked to
   */
  public static CompiledPackage read(Path path) {
    return said(
        path,
        () -> {
          try (ZipFile zip = new ZipFile(path.toFile())) {
            return new CompiledPackage(path, zip);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** What it was compiled for. */
  public Target target() {
    return target;
  }

  /** The name of its model, for {@code AOTIModelPackageLoader}. */
  public String model() {
    return matcher(library).group(2);
  }

  /** Whether its weights lie in a file beside the library, which only newer loaders read. */
  public boolean hasSeparateWeights() {
    return only(".blob") != null;
  }

  /**
   * Writes the one model to an archive of its own, for {@code AOTIModelPackageLoader}, which checks
   * neither names nor sizes, would unpack models with longer names too, and forgets the folder that
   * it unpacks to where loading fails. Nothing of the package is run.
   *
   * @param file that is made
   * @param mark the name of an empty file that goes to the model's folder before all others
   * @return where the mark will lie in the folder that the archive is unpacked to
   * @throws IllegalArgumentException where a member is damaged, or larger than it may be
   */
  public String repack(Path file, String mark) {
    Matcher named = matcher(library);
    String root = named.group(1) == null ? "" : named.group(1);
    String folder = root + "data/aotinductor/" + named.group(2) + "/";
    return said(
        path,
        () -> {
          try (ZipFile zip = new ZipFile(path.toFile());
              Repacker to = new Repacker(zip, file)) {
            // The loader compares the first folders of the first two names to find the archive's
            // own.
            to.empty(root + "archive_format");
            to.empty(folder + mark);
            for (String member : members)
              if (!isSource(member)) to.copy(member, folder + fileOf(member));
            // By the name of the source it finds the metadata; there is a library, so it compiles
            // none.
            to.empty(metadata().replaceFirst("_metadata\\.json$", ".cpp"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return folder + mark;
        });
  }

  private static boolean isSource(String member) {
    return member.endsWith(".cpp") || member.endsWith(".o");
  }

  /** That of the library, or the only one. */
  private String metadata() {
    String own = library.replaceFirst("\\.so$", "_metadata.json");
    List<String> all = members.stream().filter(n -> n.endsWith("_metadata.json")).toList();
    if (all.contains(own)) return own;
    if (all.size() == 1) return all.get(0);
    throw new GraphException(
        "it does not say what its library was compiled for (_metadata.json): compile it again");
  }

  /** Those of the one model, and the constants that lie beside it; the names of all are checked. */
  private static List<String> members(List<String> names) {
    names.forEach(CompiledPackage::check);
    List<String> models = new ArrayList<>();
    for (String name : names) {
      Matcher member = MEMBER.matcher(name);
      if (member.matches() && !models.contains(member.group(2))) models.add(member.group(2));
    }
    if (models.isEmpty()) throw new GraphException("it is no AOTInductor package");
    if (models.size() > 1 && !models.contains("model"))
      throw new GraphException(
          "it holds several models (" + String.join(", ", models) + "): package one alone");
    String model = models.contains("model") ? "model" : models.get(0);
    return names.stream()
        .filter(n -> !n.endsWith("/"))
        .filter(
            n -> {
              Matcher member = MEMBER.matcher(n);
              return member.matches()
                  ? member.group(2).equals(model)
                  : n.matches("([^/]+/)?data/constants/[^/]+");
            })
        .distinct()
        .toList();
  }

  /** A name that leaves its folder is no accident. */
  private static void check(String name) {
    boolean leaves =
        name.isEmpty()
            || name.startsWith("/")
            || name.indexOf('\\') >= 0
            || name.chars().anyMatch(Character::isISOControl)
            || List.of(name.split("/", -1)).stream().anyMatch(p -> p.equals("..") || p.equals("."));
    if (leaves)
      throw new GraphException(
          "its member \"" + name + "\" would not stay in its folder: do not use this file");
  }

  /** As the library expects them: its own files and the constants, all in one folder. */
  private static String fileOf(String member) {
    Matcher matcher = MEMBER.matcher(member);
    return matcher.matches() ? matcher.group(3) : member.substring(member.lastIndexOf('/') + 1);
  }

  private static Matcher matcher(String member) {
    Matcher matcher = MEMBER.matcher(member);
    if (!matcher.matches()) throw new IllegalStateException(member);
    return matcher;
  }

  private String only(String ending) {
    List<String> found =
        members.stream().filter(n -> n.endsWith(ending) && MEMBER.matcher(n).matches()).toList();
    if (found.size() > 1)
      throw new GraphException(
          "it holds several files *" + ending + " for one model: compile it again");
    return found.isEmpty() ? null : found.get(0);
  }

  private Target target(ZipFile zip) throws IOException {
    Map<String, String> facts = new HashMap<>();
    for (String member : members) {
      if (!member.endsWith("_metadata.json")) continue;
      try (InputStream in = BoundedMember.open(zip, member);
          JsonParser parser = new JsonFactory().createParser(in)) {
        JsonIn json = new JsonIn(parser, member);
        json.object(
            key -> {
              if (!key.startsWith("AOTI_")) json.skip();
              else if (!json.string().isEmpty()) facts.put(key, json.string());
            });
      }
    }
    return new Target(
        facts.get("AOTI_DEVICE_KEY"),
        facts.get("AOTI_PLATFORM"),
        facts.get("AOTI_MACHINE"),
        facts.get("AOTI_CPU_ISA"),
        elfMachine(zip));
  }

  private Integer elfMachine(ZipFile zip) throws IOException {
    try (InputStream in = BoundedMember.open(zip, library)) {
      ElfHeader elf = ElfHeader.read(in);
      if (elf == null) return null;
      if (elf.end() > zip.getEntry(library).getSize())
        throw new GraphException("its library is cut off: compile it again");
      return elf.machine();
    }
  }

  private static <T> T said(Path path, Supplier<T> work) {
    try {
      return work.get();
    } catch (GraphException e) {
      throw new IllegalArgumentException(ExportedProgram.oneLine(path + ": " + e.getMessage()));
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(
          ExportedProgram.oneLine(
              path
                  + ": it is damaged ("
                  + e.getCause().getMessage()
                  + "); copy or export it again"));
    }
  }
}
