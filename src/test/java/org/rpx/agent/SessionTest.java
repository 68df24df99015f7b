package org.rpx.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.rpx.agent.engine.NativeException;
import org.rpx.agent.engine.NativeException.Code;

/** Sessions as a control loop uses them. */
class SessionTest {
  private static final Path MODELS = Path.of("src/test/resources/models");

  private static Session session(String model, int warmup, String... inputs) {
    return Rpx.session(
        ModelSource.of(MODELS.resolve(model)),
        SessionOptions.threads(1).withInputs(inputs).withWarmup(warmup));
  }

  private static float[] floats(FloatBuffer buffer) {
    float[] values = new float[buffer.capacity()];
    buffer.get(0, values);
    return values;
  }

  /** a·(1/8 throughout) + b, as make_test_models.py fills two_inputs.pt. */
  @Test
  void runsFromTheInputsMemoryIntoTheOutputs() {
    try (Session s = session("two_inputs.pt", 3, "2x8", "2x4")) {
      FloatBuffer a = s.input(0).asFloatBuffer();
      FloatBuffer b = s.input(1).asFloatBuffer();
      FloatBuffer out = s.output(0).asFloatBuffer();
      assertThat(a.isDirect() && b.isDirect() && out.isDirect()).isTrue();
      assertThat(s.inputs()).extracting(SessionTensor::path).containsExactly("a", "b");
      assertThat(s.input(0).shape()).containsExactly(2L, 8L);
      assertThat(s.output(0).dtype()).isEqualTo("float32");
      for (int run = 1; run < 4; run++) {
        for (int i = 0; i < 16; i++) a.put(i, 8 * run);
        for (int i = 0; i < 8; i++) b.put(i, i);

        s.run();

        float[] expected = new float[8];
        for (int i = 0; i < 8; i++) expected[i] = 8 * run + i;
        assertThat(floats(out)).containsExactly(expected);
      }
      assertThatThrownBy(() -> s.input(2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no input 2: the model has 2, counted from 0");
      assertThatThrownBy(() -> s.output(0).asLongBuffer())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("tensor \"\" is float32: asFloatBuffer() fits it, not asLongBuffer");
    }
  }

  @Test
  void anOutputThatIsAnInputHasMemoryOfItsOwn() {
    try (Session s = session("identity.pt", 1, "2")) {
      FloatBuffer in = s.input(0).asFloatBuffer();
      FloatBuffer out = s.output(0).asFloatBuffer();
      in.put(0, 1).put(1, 2);
      s.run();
      in.put(0, 3).put(1, 4);
      assertThat(floats(out)).containsExactly(1, 2);
      s.run();
      assertThat(floats(out)).containsExactly(3, 4);
    }
  }

  /** x is [[1, 2], [3, 4]]: bits of half and brain floats by their definitions. */
  @Test
  void nestedOutputsOfAllDtypesAreFlat() {
    try (Session s = session("dtypes.pt", 2, "2x2")) {
      s.input(0).asFloatBuffer().put(new float[] {1, 2, 3, 4});
      s.run();

      assertThat(s.outputs())
          .extracting(SessionTensor::path)
          .containsExactly(
              "0", "1.half", "1.brain", "2.0", "2.1", "2.2", "3.0", "3.1", "3.2", "5", "6");
      assertThat(s.outputs())
          .extracting(SessionTensor::dtype)
          .containsExactly(
              "float64",
              "float16",
              "bfloat16",
              "int64",
              "int32",
              "int16",
              "int8",
              "uint8",
              "bool",
              "complex64",
              "float32");
      assertThat(s.output(0).asDoubleBuffer().get(3)).isEqualTo(4.0);
      short[] half = new short[4];
      s.output(1).asShortBuffer().get(half);
      assertThat(half).containsExactly(0x3c00, 0x4000, 0x4200, 0x4400);
      short[] brain = new short[4];
      s.output(2).asShortBuffer().get(brain);
      assertThat(brain).containsExactly(0x3f80, 0x4000, 0x4040, 0x4080);
      assertThat(s.output(3).asLongBuffer().get(3)).isEqualTo(4);
      assertThat(s.output(4).asIntBuffer().get(2)).isEqualTo(3);
      assertThat(s.output(5).asShortBuffer().get(1)).isEqualTo((short) 2);
      assertThat(bytes(s.output(6))).containsExactly(1, 2, 3, 4);
      assertThat(bytes(s.output(7))).containsExactly(1, 2, 3, 4);
      assertThat(bytes(s.output(8))).containsExactly(0, 1, 1, 1);
      // Conjugated: the sign of each second part.
      FloatBuffer complex = s.output(9).asByteBuffer().asFloatBuffer();
      assertThat(floats(complex)).containsExactly(1, -1, 2, -2, 3, -3, 4, -4);
      // Transposed, and packed.
      assertThat(floats(s.output(10).asFloatBuffer())).containsExactly(1, 3, 2, 4);
    }
  }

  private static byte[] bytes(SessionTensor tensor) {
    ByteBuffer buffer = tensor.asByteBuffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void anInputInsideADictHasItsOwnMemory() {
    try (Session s = session("dict_input.pt", 1, "{a=1x8=8,b=1x4=1}")) {
      assertThat(s.inputs()).extracting(SessionTensor::path).containsExactly("d.a", "d.b");
      assertThat(s.input(0).asFloatBuffer().get(7)).isEqualTo(8);
      s.input(1).asFloatBuffer().put(0, 5);
      s.run();
      // Eight times 8 by 1/8, and b.
      assertThat(floats(s.output(0).asFloatBuffer())).containsExactly(13, 9, 9, 9);
    }
  }

  @Test
  void anotherShapeIsRefusedAndTheSessionGoesOn() {
    try (Session s = session("positive.pt", 1, "3=1")) {
      FloatBuffer in = s.input(0).asFloatBuffer();
      FloatBuffer out = s.output(0).asFloatBuffer();
      in.put(0, -1);

      NativeException e = catchThrowableOfType(NativeException.class, s::run);

      assertThat(e.code()).isEqualTo(Code.UNSUPPORTED);
      assertThat(e)
          .hasMessageContaining("positive.pt: output 0 is float32 [2], and was float32 [3]")
          .hasMessageEndingWith("open one for each shape");
      assertThat(floats(out)).containsExactly(1, 1, 1);
      in.put(0, 4);
      s.run();
      assertThat(floats(out)).containsExactly(4, 1, 1);
    }
  }

  /** Its n-th forward gives n times the first one's result. */
  @Test
  void aModelThatChangesItselfBeginsAsItsFileHasIt() {
    try (Session s = session("stateful.pt", 5, "1x4=1")) {
      s.run();
      float first = s.output(0).asFloatBuffer().get(0);
      s.run();
      assertThat(first).isEqualTo(1);
      assertThat(s.output(0).asFloatBuffer().get(0)).isEqualTo(2 * first);
    }
  }

  @Test
  void withoutAWarmUpOutputsAreUnknownBeforeTheFirstRun() {
    try (Session s = session("identity.pt", 0, "2")) {
      assertThatThrownBy(s::outputs)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("outputs are known after the first run");
      s.run();
      assertThat(s.output(0).shape()).containsExactly(2L);
    }
  }

  @Test
  void aRunAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Session s = session("two_inputs.pt", 100, "2x8", "2x4")) {
      for (int i = 0; i < 10_000; i++) s.run();
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10_000; i++) s.run();
      long after = threads.getCurrentThreadAllocatedBytes();
      assertThat(after - before).isZero();
    }
  }

  @Test
  void runAsyncIsARunOnTheCpu() {
    try (Session s = session("identity.pt", 1, "1")) {
      s.input(0).asFloatBuffer().put(0, 7);
      s.runAsync();
      assertThat(s.poll()).isTrue();
      assertThat(s.output(0).asFloatBuffer().get(0)).isEqualTo(7);
    }
  }

  @Test
  void aClosedSessionSaysSoAndItsBuffersStay() {
    Session s = session("identity.pt", 1, "1024=3");
    FloatBuffer in = s.input(0).asFloatBuffer();
    FloatBuffer out = s.output(0).asFloatBuffer();
    s.run();
    s.close();
    s.close();
    for (Runnable use : List.<Runnable>of(s::run, s::runAsync, s::poll, s::signature, s::weights))
      assertThatThrownBy(use::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the session is closed");
    System.gc();
    in.put(1023, 5);
    assertThat(out.get(1023)).isEqualTo(3);
  }

  /** Each run either ran or said that the session is another's; none ran beside another one. */
  @Test
  void aSecondThreadIsRefused() throws InterruptedException {
    try (Session s = session("tied.pt", 1, "256x16")) {
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      List<Throwable> others = new ArrayList<>();
      Runnable loop =
          () -> {
            for (int i = 0; i < 2000; i++) {
              try {
                s.run();
                ran.incrementAndGet();
              } catch (IllegalStateException e) {
                assertThat(e).hasMessageStartingWith("another thread uses this session");
                refused.incrementAndGet();
              }
            }
          };
      together(loop, others, 3);
      assertThat(others).isEmpty();
      assertThat(ran.get() + refused.get()).isEqualTo(6000);
      assertThat(ran.get()).isPositive();
      s.run();
    }
  }

  /** Whatever close() meets, the threads end with the one exception. */
  @Test
  void closingWaitsForARunAndEndsTheOthers() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      Session s = session("tied.pt", 1, "256x16");
      List<Throwable> ended = new ArrayList<>();
      Thread closer =
          new Thread(
              () -> {
                try {
                  Thread.sleep(2);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                s.close();
              });
      closer.start();
      together(
          () -> {
            while (true) s.run();
          },
          ended,
          1);
      closer.join();
      assertThat(ended)
          .singleElement()
          .isInstanceOfSatisfying(
              IllegalStateException.class, e -> assertThat(e).hasMessage("the session is closed"));
    }
  }

  private static void together(Runnable work, List<Throwable> thrown, int n)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Thread thread = new Thread(work);
      thread.setUncaughtExceptionHandler(
          (t, e) -> {
            synchronized (thrown) {
              thrown.add(e);
            }
          });
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) thread.join();
  }

  @Test
  void sessionsRunSideBySide() throws InterruptedException {
    try (Session one = session("two_inputs.pt", 1, "1x8=8", "1x4=0");
        Session two = session("two_inputs.pt", 1, "2x8=16", "2x4=1")) {
      List<Throwable> thrown = new ArrayList<>();
      AtomicInteger next = new AtomicInteger();
      together(
          () -> {
            boolean first = next.getAndIncrement() == 0;
            Session mine = first ? one : two;
            for (int i = 0; i < 2000; i++) {
              mine.run();
              float expected = first ? 8 : 17;
              assertThat(mine.output(0).asFloatBuffer().get(3)).isEqualTo(expected);
            }
          },
          thrown,
          2);
      assertThat(thrown).isEmpty();
    }
  }
}
