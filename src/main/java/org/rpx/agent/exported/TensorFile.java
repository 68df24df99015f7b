package org.rpx.agent.exported;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.rpx.agent.exported.Pickle.Global;
import org.rpx.agent.exported.Pickle.Refused;
import org.rpx.agent.trace.InputSpec;

/**
 * Inputs that torch.save wrote: a tensor, or tensors in tuples, lists and dicts. The pickle is read
 * as a description; nothing that it names is run. Any threads may read at once.
 */
public final class TensorFile {
  private static final int DEEPEST = 100;
  // A pickle of a few bytes may name one list any number of times.
  private static final int MOST_ITEMS = 10_000;
  private static final int MOST_PICKLE = 64 << 20;
  private static final int MOST_SHOWN = 60;
  private static final int PROTOCOL = 0x80;
  private static final String PICKLE = "data.pkl";

  private final Path file;
  private final StoredTensors stored;
  private int items;

  private TensorFile(Path file, StoredTensors stored) {
    this.file = file;
    this.stored = stored;
  }

  /** Whether a file is one of torch.save, whatever its name. */
  public static boolean is(Path file) {
    if (!Files.isRegularFile(file)) return false;
    if (firstByte(file) == PROTOCOL) return true;
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return pickle(zip) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * What the file holds, without a name. The tensors are copied into memory outside of the Java
   * heap, packed. What was a list is a tuple: the pickle's reader does not tell them apart.
   *
   * @throws IllegalArgumentException that names the file, where it is damaged, has anything but
   *     tensors of an input's dtypes, or more than 4 GiB of data
   */
  public static InputSpec read(Path file) {
    // Before 1.6 torch.save wrote pickles in a row, and no archive.
    if (firstByte(file) == PROTOCOL)
      throw wrong(
          file, "is a bare pickle, as torch.save wrote before 1.6; save it with a newer torch");
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry pickle = pickle(zip);
      if (pickle == null) throw wrong(file, "has no data.pkl; write it with torch.save");
      String name = pickle.getName();
      String root = name.substring(0, name.length() - PICKLE.length());
      if (zip.getEntry(root + "constants.pkl") != null)
        throw wrong(file, "is a TorchScript model, and no inputs; write those with torch.save");
      checkOrder(file, zip, root);
      if (pickle.getSize() > MOST_PICKLE)
        throw wrong(file, "has a pickle of more than 64 MiB; save plain tensors");
      Object value = Pickle.read(ByteBuffer.wrap(bytes(zip, pickle)));
      return new TensorFile(file, new StoredTensors(file, zip, root)).spec(value, "", 0);
    } catch (GraphException e) {
      throw wrong(file, "its pickle is broken; copy or save it again");
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).replaceAll("\\p{IsControl}", "?");
      throw wrong(file, "is damaged (" + why + "); copy it, or write it with torch.save again");
    }
  }

  private static int firstByte(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read();
    } catch (IOException e) {
      return -1;
    }
  }

  private static ZipEntry pickle(ZipFile zip) {
    return zip.stream()
        .filter(e -> e.getName().equals(PICKLE) || e.getName().endsWith("/" + PICKLE))
        .findFirst()
        .orElse(null);
  }

  private static void checkOrder(Path file, ZipFile zip, String root) throws IOException {
    ZipEntry order = zip.getEntry(root + "byteorder");
    if (order == null || order.getSize() > MOST_SHOWN) return;
    if (new String(bytes(zip, order), StandardCharsets.UTF_8).equals("big"))
      throw wrong(file, "was saved on a big-endian machine; save it on one like this");
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readNBytes(MOST_PICKLE);
    }
  }

  private InputSpec spec(Object value, String at, int depth) throws IOException {
    if (depth > DEEPEST) throw wrong(file, "is nested too deep; 100 levels at most");
    if (++items > MOST_ITEMS) throw wrong(file, "holds more than 10000 items; save fewer");
    if (value instanceof PickledTensor tensor) return stored.read(tensor, shown(at));
    if (value instanceof Map<?, ?> map) {
      Map<String, InputSpec> parts = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!(entry.getKey() instanceof String key))
          throw wrong(file, shown(at) + " has a key that is no text; name tensors by texts");
        if (key.chars().anyMatch(Character::isISOControl))
          throw wrong(file, "the key " + shown(key) + " has a control character; rename it");
        parts.put(key, spec(entry.getValue(), under(at, key), depth + 1));
      }
      return new InputSpec.Dict(null, parts);
    }
    if (value instanceof List<?> list) {
      List<InputSpec> parts = new ArrayList<>();
      for (Object item : list)
        parts.add(spec(item, under(at, String.valueOf(parts.size())), depth + 1));
      return new InputSpec.Sequence(null, "tuple", parts);
    }
    throw wrong(
        file,
        shown(at)
            + " is "
            + shown(kind(value))
            + ", which is not read: save plain tensors, in tuples, lists or dicts");
  }

  private static String kind(Object value) {
    if (value == null) return "None";
    if (value instanceof Refused refused) return refused.what();
    if (value instanceof Global global) return global.name();
    if (value instanceof Boolean) return "a bool";
    if (value instanceof Long) return "an int";
    if (value instanceof Double) return "a float";
    return value instanceof String ? "a str" : "no tensor";
  }

  private static String under(String at, String key) {
    return at.isEmpty() ? key : at + "." + key;
  }

  /** Names in a file are anyone's. */
  private static String shown(String name) {
    if (name.isEmpty()) return "it";
    String first = name.length() <= MOST_SHOWN ? name : name.substring(0, MOST_SHOWN) + "…";
    return first.replaceAll("[\\p{IsControl}\\u2028\\u2029]", "?");
  }

  static IllegalArgumentException wrong(Path file, String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
