package org.rpx.agent.engine;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rpx.agent.trace.Argument;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/**
 * A model in native memory, with its inputs: the facade itself, which counts, times and runs. A
 * control loop takes {@link org.rpx.agent.Rpx#session}, which checks and warms up around it. One
 * thread at a time, but for {@link #cancel}. Every method throws {@link NativeException} where
 * LibTorch fails, and IllegalStateException once closed.
 */
public final class NativeSession implements AutoCloseable {
  private Binding.Session session;

  /** Loads TorchScript, in evaluation mode, onto a device by its {@link Device#name}. */
  public NativeSession(Path model, String device) {
    LibTorch.load();
    session = new Binding.Session(model.toString(), device);
  }

  /**
   * Loads a torch.export program onto a device.
   *
   * @param archive with its weights
   * @param numbers its layout (docs/native.md, layout "program")
   * @param words that the numbers index
   */
  public NativeSession(Path archive, String device, long[] numbers, List<String> words) {
    LibTorch.load();
    List<String> lines = words.stream().map(w -> w.replaceAll("[\\n\\x00]", " ")).toList();
    session = new Binding.Session(archive.toString(), device, numbers, String.join("\n", lines));
  }

  /**
   * Loads an AOTInductor package: native code, which runs as it loads. LibTorch unpacks it to a
   * temporary folder, which is left there where loading fails. The archive may be removed
   * afterwards.
   *
   * @param model one of the archive's, by its name
   * @param weights whether its weights lie in a file beside its library
   */
  public static NativeSession compiled(Path archive, String model, boolean weights, String device) {
    LibTorch.loadUmbrella();
    return new NativeSession(new Binding.Session(archive.toString(), device, model, weights));
  }

  private NativeSession(Binding.Session session) {
    this.session = session;
  }

  /** The arguments of the model's forward; none of a torch.export program. */
  public List<Argument> signature() {
    return read(
        open()::signature,
        r -> {
          List<Argument> arguments = new ArrayList<>();
          while (r.more())
            arguments.add(new Argument(r.string(), r.string(), r.string().equals("required")));
          return arguments;
        });
  }

  /** Parameters, buffers, constants and packed weights, each as often as the model names it. */
  public List<Weight> weights() {
    return read(open()::weights, RecordReader::weights);
  }

  /** Casts floating-point weights, and floating-point inputs set afterwards. */
  public void cast(String dtype) {
    open().cast(dtype);
  }

  /**
   * Makes inputs of these shapes and values, in memory of their own; {@code seed} is that of drawn
   * ones.
   */
  public void inputs(List<InputSpec> specs, long seed) {
    inputSets(List.of(specs), seed);
  }

  /**
   * The same for several sets of inputs: {@link #time} takes them in turns, the first one first
   * after this and after {@link #between}; all else takes the first.
   */
  public void inputSets(List<List<InputSpec>> sets, long seed) {
    try (InputRecord record = new InputRecord()) {
      for (List<InputSpec> set : sets) {
        if (set != sets.get(0)) record.nextSet();
        set.forEach(record::add);
      }
      open().inputs(record.numbers(), record.numbers().length, record.text(), seed);
    }
  }

  /** The inputs' own memory. */
  public List<TensorMemory> inputs() {
    return data(false);
  }

  /** The last run's outputs, packed; nested ones by path. */
  public List<TensorMemory> outputs() {
    return data(true);
  }

  /**
   * Gives the inputs, or the last run's outputs, memory of their own on the host, which stays until
   * they are bound again; from then on {@link #step} reads and writes it. What they hold now is in
   * it.
   *
   * @param device where the session runs
   * @return the memory of each, in the order of {@link #inputs()} or {@link #outputs}
   */
  public List<ByteBuffer> bind(boolean outputs, Device device) {
    List<ByteBuffer> memory = new ArrayList<>();
    for (TensorMemory data : data(outputs)) {
      if (data.bytes() == null)
        throw new NativeException(
            NativeException.Code.UNSUPPORTED,
            (outputs ? "output " : "input ")
                + memory.size()
                + " "
                + data.tensor().dtype()
                + " "
                + data.tensor().sizes()
                + " "
                + data.unreadable());
      memory.add(HostMemory.allocate(device, data.bytes().capacity()));
    }
    open().bind(outputs, memory.stream().mapToLong(HostMemory::address).toArray(), memory.size());
    return memory;
  }

  /**
   * One forward from the bound inputs into the bound outputs. For control loops: unlike the other
   * methods it takes no lock, so that the caller sees to it that there is one thread and no close.
   */
  public void step() {
    unlocked().step();
  }

  /** The same, on a device not waited for. */
  public void enqueue() {
    unlocked().enqueue();
  }

  /** Whether what was last enqueued is done. Does not wait. */
  public boolean ready() {
    return unlocked().ready();
  }

  /** Loads the model again if a forward changed it. */
  public void restore() {
    open().restore();
  }

  /**
   * Widths of the operator pool and the BLAS pool for this session's runs; 0 leaves a pool as it
   * is.
   */
  public void threads(int operators, int blas) {
    open().threads(operators, blas);
  }

  /** One forward, to its end on the device; its nanoseconds. */
  public long run() {
    return open().run();
  }

  /** One forward, recorded; the model is afterwards as the file has it. */
  public OpTrace trace() {
    return read(open()::trace, RecordReader::trace);
  }

  /** Bytes of CPU tensors at the worst moment of one forward, above what was there before it. */
  public long tensorPeakBytes() {
    return open().tensorPeak();
  }

  /**
   * The timed loop, in native code. Each forward is waited for.
   *
   * @param n at most this many forwards
   * @param limitNs and none that would begin after this long
   * @param watch is given a counter of finished runs before the loop, to read from any thread, and
   *     null after it; may be null
   * @return starts and durations in nanoseconds, as many as ran
   */
  public long[][] time(int n, long limitNs, Consumer<LongSupplier> watch) {
    return TimedColumns.run(open(), n, limitNs, watch, 2);
  }

  /**
   * The same on an accelerator with events, where no forward is waited for.
   *
   * @return starts, durations on the device by events, and durations of the host's enqueueing
   */
  public long[][] timeByEvents(int n, long limitNs, Consumer<LongSupplier> watch) {
    return TimedColumns.run(open(), n, limitNs, watch, 3);
  }

  /**
   * What {@link #time} does between its forwards from now on, outside their timed spans. Starts
   * then count from the first one's release. Sets of inputs begin with the first again.
   *
   * @param periodNs of an absolute schedule: the i-th forward is released i periods after the
   *     first; 0 for back to back
   * @param flushBytes to write over before each, to empty the caches; 0 for none
   */
  public void between(long periodNs, long flushBytes) {
    open().between(periodNs, flushBytes);
  }

  /**
   * What the timed loop measures of a forward that does nothing, in nanoseconds: the median of
   * many. Null once cancelled.
   */
  public Long timerFloorNs() {
    long ns = open().timerFloor();
    return ns < 0 ? null : ns;
  }

  /**
   * How long the copies of the inputs to the device and of the last {@link #run}'s outputs from it
   * take, and what events measure with nothing between them. Empty on the CPU.
   */
  public List<Transfer> transfers(int rounds) {
    return read(r -> open().transfers(rounds, r), Transfer::read);
  }

  /**
   * From any thread: ends a {@link #time} that is running, after its current forward, and all later
   * ones.
   */
  public synchronized void cancel() {
    if (session != null) session.cancel();
  }

  /** Frees the model. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (session == null) return;
    session.close();
    session = null;
    HostMemory.free();
  }

  private Binding.Session unlocked() {
    Binding.Session s = session;
    if (s == null) throw new IllegalStateException("the session is closed");
    return s;
  }

  private synchronized Binding.Session open() {
    if (session == null) throw new IllegalStateException("the session is closed");
    return session;
  }

  private List<TensorMemory> data(boolean outputs) {
    return read(r -> open().tensors(outputs, r), TensorMemory::read);
  }

  private static <T> T read(
      Consumer<Binding.Record> fill, java.util.function.Function<RecordReader, T> read) {
    try (Binding.Record record = new Binding.Record()) {
      fill.accept(record);
      return read.apply(LibTorch.records(record));
    }
  }
}
