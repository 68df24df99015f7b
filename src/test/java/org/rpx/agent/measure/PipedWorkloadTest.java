package org.rpx.agent.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipedWorkloadTest {
  /** Run i takes 100 i + 7 ns, and begins 1000 i ns after the first. */
  private static final class Recorded implements Workload {
    final List<String> calls = new ArrayList<>();

    @Override
    public void threads(int operators, int blas) {
      calls.add("threads " + operators + " " + blas);
    }

    @Override
    public Samples time(int n, Duration limit) {
      calls.add("time " + n + " " + limit.toNanos());
      long[] starts = new long[n];
      long[] durations = new long[n];
      for (int i = 0; i < n; i++) {
        starts[i] = 1000L * i;
        durations[i] = 100L * i + 7;
      }
      return new Samples(starts, durations, n);
    }
  }

  @Test
  void bothEndsSayTheSame() throws Exception {
    Recorded there = new Recorded();
    PipedOutputStream requests = new PipedOutputStream();
    PipedInputStream heard = new PipedInputStream(requests);
    PipedOutputStream said = new PipedOutputStream();
    PipedInputStream answers = new PipedInputStream(said);
    Thread other =
        new Thread(
            () -> {
              try {
                Map<String, String> facts = Map.of("libtorch_version", "2.10.0");
                PipedWorkload.serve(there, () -> there.calls.add("begin"), facts, heard, said);
                said.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    other.start();

    PipedWorkload here = new PipedWorkload(answers, requests);
    assertThat(here.facts()).containsExactly(Map.entry("libtorch_version", "2.10.0"));
    here.threads(2, 1);
    here.begin();
    Samples samples = here.time(3, Duration.ofNanos(Long.MAX_VALUE));
    assertThat(samples.durationsNs()).containsExactly(7, 107, 207);
    assertThat(samples.startNs(2)).isEqualTo(2000);

    // The end of the requests is the end of the other side, and that the end of the answers.
    requests.close();
    other.join(60_000);
    assertThat(other.isAlive()).isFalse();
    assertThat(there.calls).containsExactly("threads 2 1", "begin", "time 3 " + Long.MAX_VALUE);
    assertThatThrownBy(() -> here.time(1, Duration.ofSeconds(1)))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void anEndBeforeItIsReadyIsSaid() {
    ByteArrayInputStream nothing = new ByteArrayInputStream(new byte[0]);
    assertThatThrownBy(() -> new PipedWorkload(nothing, new ByteArrayOutputStream()))
        .isInstanceOf(UncheckedIOException.class);
  }
}
