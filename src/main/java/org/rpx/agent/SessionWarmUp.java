package org.rpx.agent;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.rpx.agent.measure.Samples;
import org.rpx.agent.measure.WarmUp;
import org.rpx.agent.measure.Workload;

/**
 * Runs a session before it is handed out: TorchScript specialises in its first forwards, memory is
 * touched, the JIT compiles what surrounds the native call. Afterwards inputs and model are as they
 * were.
 */
final class SessionWarmUp implements Workload {
  // TorchScript's executor watches twice, and optimises in the third.
  private static final int LEAST_RUNS = 3;

  private final Session session;

  SessionWarmUp(Session session) {
    this.session = session;
  }

  /** Runs this often; by the rule where it is null. */
  void run(Integer runs) {
    if (runs != null && runs == 0) return;
    List<ByteBuffer> before = session.inputs().stream().map(t -> copy(t.asByteBuffer())).toList();
    int fixed = runs == null ? LEAST_RUNS : runs;
    for (int i = 0; i < fixed; i++) session.run();
    if (runs == null) WarmUp.DEFAULT.run(this, () -> false);
    session.rewind(before);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.capacity()).put(bytes).flip();
  }

  @Override
  public void threads(int operators, int blas) {
    throw new UnsupportedOperationException("a session's threads are settled");
  }

  @Override
  public Samples time(int n, Duration limit) {
    long[] starts = new long[n];
    long[] durations = new long[n];
    long first = System.nanoTime();
    int ran = 0;
    while (ran < n) {
      long start = System.nanoTime();
      session.run();
      long end = System.nanoTime();
      starts[ran] = start - first;
      durations[ran++] = end - start;
      if (end - first >= limit.toNanos()) break;
    }
    return new Samples(Arrays.copyOf(starts, ran), Arrays.copyOf(durations, ran), ran);
  }
}
