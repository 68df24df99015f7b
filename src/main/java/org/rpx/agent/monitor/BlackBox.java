package org.rpx.agent.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/** A monitor's ring file and what watches over it. Where the file fails, it says why and rests. */
final class BlackBox {
  private static final int CHUNK = 1 << 16;

  private final Path path;
  private final MappedByteBuffer memory;
  private final RingWriter ring;
  private final MissWatch watch;
  private final String problem;

  private BlackBox(
      Path path, MappedByteBuffer memory, RingWriter ring, MissWatch watch, String problem) {
    this.path = path;
    this.memory = memory;
    this.ring = ring;
    this.watch = watch;
    this.problem = problem;
  }

  /** Opens the file that the settings name; never throws for what is wrong with it. */
  static BlackBox open(MonitorBuilder settings, long start) {
    Path path = settings.blackBoxFolder.resolve("rpx-" + settings.name + ".ring");
    try {
      refuseToShare(path);
      ProcessHandle self = ProcessHandle.current();
      RingHead head =
          new RingHead(
              settings.name,
              settings.stages,
              settings.blackBoxCycles,
              settings.period,
              settings.deadline,
              // The moment that begins are relative to.
              Instant.now().minusNanos(System.nanoTime() - start),
              self.pid(),
              RingHead.startedMs(self),
              false);
      MappedByteBuffer memory = create(path, head);
      RingWriter ring =
          new RingWriter(memory, settings.stages.size(), settings.blackBoxCycles, start);
      MissWatch watch = new MissWatch(path, memory, ring, new Probes(settings.probes), start);
      watch.start(settings.name);
      return new BlackBox(path, memory, ring, watch, null);
    } catch (IOException e) {
      return new BlackBox(path, null, null, null, problem(path, e));
    }
  }

  /** Two writers would tell nonsense; a dead one's file is kept beside. */
  private static void refuseToShare(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return;
    try {
      BlackBoxFile other = BlackBoxFile.read(path);
      if (other.alive() && !other.closed()) {
        throw new IOException(
            "process " + other.pid() + " writes it: give this monitor another name or folder");
      }
    } catch (BlackBoxException e) {
      // Whatever it is, it is moved aside.
    }
    String name = name(path);
    Files.move(path, path.resolveSibling(name + ".previous.ring"), StandardCopyOption.ATOMIC_MOVE);
    for (int i = 1; i <= MissWatch.MOST_REPORTS; i++) {
      Path now = path.resolveSibling(name + ".previous.miss-" + i + ".json");
      Path was = path.resolveSibling(name + ".miss-" + i + ".json");
      Files.deleteIfExists(now);
      if (Files.exists(was)) Files.move(was, now, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** What all files of a monitor begin with: "rpx-NAME". */
  static String name(Path ring) {
    String file = ring.getFileName().toString();
    return file.substring(0, file.length() - ".ring".length());
  }

  private static MappedByteBuffer create(Path path, RingHead head) throws IOException {
    Path beside = path.resolveSibling("." + path.getFileName() + "." + head.pid());
    Files.deleteIfExists(beside);
    try (FileChannel channel =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      long bytes = Ring.fileBytes(head.stages().size(), head.capacity());
      // Written, not just mapped: where there is no room, that is an error here and not a fault of
      // the memory in the loop.
      ByteBuffer zeros = ByteBuffer.allocate(CHUNK);
      for (long at = 0; at < bytes; at += zeros.position()) {
        zeros.clear().limit((int) Math.min(CHUNK, bytes - at));
        write(channel, zeros, at);
      }
      write(channel, head.encode(), 0);
      MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      memory.order(ByteOrder.LITTLE_ENDIAN);
      // Each page's first write is a fault; not in the loop.
      for (int at = Ring.HEAD; at < bytes; at += Ring.HEAD) memory.put(at, (byte) 0);
      protect(beside);
      Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
      return memory;
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  /** Read-only: a stray redirection would cut the memory away from under the loop. */
  private static void protect(Path file) throws IOException {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    } catch (UnsupportedOperationException e) {
      // A file system without such permissions.
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    while (bytes.hasRemaining()) channel.write(bytes, at + bytes.position());
  }

  private static String problem(Path path, IOException e) {
    String what = e.getMessage();
    if (e instanceof NoSuchFileException) what = "the folder is not there: create it";
    else if (e instanceof FileAlreadyExistsException) what = "the file is in the way: remove it";
    else if (e instanceof FileSystemException f && f.getReason() != null) {
      what = f.getReason() + ": name another folder with blackBox(folder, cycles)";
    }
    return "cannot write " + path + ": " + what;
  }

  Path path() {
    return path;
  }

  /** Null where the file could not be opened. */
  RingWriter ring() {
    return ring;
  }

  /** On the thread that becomes the writer. */
  void attach() {
    if (watch != null) watch.attach();
  }

  BlackBoxState state() {
    if (ring == null) return new BlackBoxState(path, false, problem, 0, 0);
    String why =
        ring.lost()
            ? path + " was cut short while in use: nothing more is recorded; restart the loop"
            : watch.problem();
    return new BlackBoxState(path, !ring.lost(), why, watch.reports(), watch.unreported());
  }

  /** Ends the thread; the file says that it was closed, and stays. A second call does nothing. */
  void close() {
    if (watch == null) return;
    watch.close();
    if (!ring.lost()) memory.putLong(Ring.AT_CLOSED, 1);
  }
}
