package org.rpx.agent.exported;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same where the archive itself is damaged, by accident or on purpose. */
class ZipMutationsTest {
  private static final int LOCAL = 0x04034b50;
  private static final int ENTRY = 0x02014b50;
  private static final int END = 0x06054b50;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export_dynamic_batch",
        "modes",
        "old_layout",
        "versions/torch_2_5",
        "versions/torch_2_8"
      })
  void ofBytes(String name) throws IOException {
    Random random = new Random(name.hashCode());
    byte[] original = Files.readAllBytes(TestArchive.resource(name));
    for (int i = 0; i < MutationsTest.TIMES; i++) {
      byte[] bytes = original.clone();
      switch (random.nextInt(3)) {
        case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        default -> {
          int at = random.nextInt(bytes.length);
          for (int b = at; b < Math.min(bytes.length, at + 16); b++)
            bytes[b] = (byte) random.nextInt(256);
        }
      }
      MutationsTest.check(Files.write(folder.resolve("b.pt2"), bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"export_dynamic_batch", "old_layout"})
  void ofHeaders(String name) throws IOException {
    Random random = new Random(name.hashCode());
    byte[] original = Files.readAllBytes(TestArchive.resource(name));
    List<Integer> headers = headers(original);
    for (int i = 0; i < MutationsTest.TIMES; i++) {
      ByteBuffer bytes = ByteBuffer.wrap(original.clone()).order(ByteOrder.LITTLE_ENDIAN);
      for (int m = random.nextInt(2); m >= 0; m--)
        change(bytes, headers.get(random.nextInt(headers.size())), random);
      MutationsTest.check(Files.write(folder.resolve("h.pt2"), bytes.array()));
    }
  }

  private static List<Integer> headers(byte[] zip) {
    ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at <= zip.length - 4; at++)
      if (List.of(LOCAL, ENTRY, END).contains(bytes.getInt(at))) found.add(at);
    return found;
  }

  /** Puts another number into one field: a method, a checksum, a size, a length, an offset. */
  private static void change(ByteBuffer bytes, int header, Random random) {
    int[] fields =
        switch (bytes.getInt(header)) {
          case LOCAL -> new int[] {4, 6, 8, 14, 18, 22, 26, 28};
          case ENTRY -> new int[] {4, 6, 8, 10, 16, 20, 24, 28, 30, 32, 34, 38, 42};
          default -> new int[] {4, 6, 8, 10, 12, 16, 20};
        };
    int at = header + fields[random.nextInt(fields.length)];
    long value =
        switch (random.nextInt(6)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> Integer.MAX_VALUE;
          case 3 -> random.nextInt();
          case 4 -> bytes.getShort(at) + 1;
          default -> bytes.getShort(at) ^ (1 << random.nextInt(16));
        };
    if (random.nextBoolean() && at + 4 <= bytes.limit()) bytes.putInt(at, (int) value);
    else bytes.putShort(at, (short) value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"export_dict_input", "old_layout"})
  void ofMembers(String name) throws IOException {
    Random random = new Random(name.hashCode());
    String[] tricks = {
      "../", "/", "a/../", "./", "m\\", "\u0000", "models/", "data/weights/", "é\n"
    };
    for (int i = 0; i < MutationsTest.TIMES; i++) {
      TestArchive archive = TestArchive.of(name);
      for (int m = random.nextInt(3); m >= 0; m--) {
        List<String> names = new ArrayList<>(archive.members.keySet());
        String one = names.get(random.nextInt(names.size()));
        String other = names.get(random.nextInt(names.size()));
        byte[] content = archive.members.get(one);
        switch (random.nextInt(4)) {
          case 0 -> archive.members.remove(one);
          case 1 -> archive.members.put(one, archive.members.put(other, content));
          case 2 ->
              archive.members.put(one, Arrays.copyOf(content, random.nextInt(1 + content.length)));
          default -> archive.members.put(tricks[random.nextInt(tricks.length)] + one, content);
        }
        if (archive.members.isEmpty()) break;
      }
      MutationsTest.check(archive.write(folder.resolve("s.pt2")));
    }
  }
}
