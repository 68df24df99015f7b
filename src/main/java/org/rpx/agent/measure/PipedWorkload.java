package org.rpx.agent.measure;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A workload of another process, at the other end of two pipes. A request is a byte and its
 * numbers; only {@link #time} has an answer, so that while one process runs the others wait for a
 * request and take no CPU. For one thread at a time; it closes neither pipe, and a pipe that is at
 * its end is an {@link UncheckedIOException} of the call.
 */
public final class PipedWorkload implements Workload {
  private static final int THREADS = 't';
  private static final int RUNS = 'r';
  private static final int BEGIN = 'b';

  private final DataInputStream from;
  private final DataOutputStream to;
  private final Map<String, String> facts = new LinkedHashMap<>();

  /**
   * Waits for the other process to be ready.
   *
   * @throws UncheckedIOException where it ends before
   */
  public PipedWorkload(InputStream from, OutputStream to) {
    this.from = new DataInputStream(from);
    this.to = new DataOutputStream(new BufferedOutputStream(to));
    try {
      for (int n = this.from.readInt(); n > 0; n--)
        facts.put(this.from.readUTF(), this.from.readUTF());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the other process said of itself. */
  public Map<String, String> facts() {
    return facts;
  }

  @Override
  public void threads(int operators, int blas) {
    try {
      to.writeByte(THREADS);
      to.writeInt(operators);
      to.writeInt(blas);
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its sets of inputs, where it has several, begin with the first again. */
  public void begin() {
    try {
      to.writeByte(BEGIN);
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Samples time(int n, Duration limit) {
    try {
      to.writeByte(RUNS);
      to.writeInt(n);
      to.writeLong(limit.toNanos());
      to.flush();
      int ran = from.readInt();
      if (ran < 1 || ran > n) throw new IOException(ran + " runs of " + n);
      long[] starts = new long[ran];
      long[] durations = new long[ran];
      for (int i = 0; i < ran; i++) {
        starts[i] = from.readLong();
        durations[i] = from.readLong();
      }
      return Samples.owning(starts, durations);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The other end: runs a workload as it is told to, until the requests end.
   *
   * @param begin for {@link #begin}
   * @param facts for {@link #facts}: 65,535 bytes of UTF-8 each at most
   * @throws IOException where a pipe fails, or a request is none
   */
  public static void serve(
      Workload workload,
      Runnable begin,
      Map<String, String> facts,
      InputStream requests,
      OutputStream answers)
      throws IOException {
    DataInputStream in = new DataInputStream(requests);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(answers));
    out.writeInt(facts.size());
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      out.writeUTF(fact.getKey());
      out.writeUTF(fact.getValue());
    }
    out.flush();
    for (int request = in.read(); request >= 0; request = in.read()) {
      switch (request) {
        case THREADS -> workload.threads(in.readInt(), in.readInt());
        case BEGIN -> begin.run();
        case RUNS -> answer(workload.time(in.readInt(), Duration.ofNanos(in.readLong())), out);
        default -> throw new EOFException("no request " + request);
      }
    }
  }

  private static void answer(Samples samples, DataOutputStream out) throws IOException {
    out.writeInt(samples.count());
    for (int i = 0; i < samples.count(); i++) {
      out.writeLong(samples.startNs(i));
      out.writeLong(samples.durationNs(i));
    }
    out.flush();
  }
}
