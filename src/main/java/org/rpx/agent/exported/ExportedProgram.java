package org.rpx.agent.exported;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.rpx.agent.trace.InputSpec;
import org.rpx.agent.trace.OpTrace;
import org.rpx.agent.trace.Weight;

/**
 * A program that torch.export saved ({@code .pt2}), read from its graph alone. Immutable.
 *
 * <p>Its ops are those that an executor runs: nodes that nothing depends on are left out. A graph
 * says nothing about values: of a branch or a loop on values it is not known what runs, and such an
 * op ({@code higher_order::cond}) stands as it is.
 *
 * <p>Whatever is wrong is one line that begins with the file's path: a {@link ProgramException}
 * where the file is at fault, another IllegalArgumentException where the inputs are.
 */
public final class ExportedProgram {
  private final Path path;
  private final Archive.Contents contents;
  private final Weights weights;
  private final Inputs inputs;
  private final Guards guards;

  private ExportedProgram(Path path, Archive.Contents contents) {
    this.path = path;
    this.contents = contents;
    this.weights = new Weights(contents.program(), contents.weights());
    this.inputs = new Inputs(contents.program());
    this.guards = new Guards(contents.program());
  }

  /**
   * Reads the graph of an archive, as torch 2.5 and later write it.
   *
   * @throws ProgramException where the file is no such archive, or damaged
   */
  public static ExportedProgram read(Path path) {
    return said(path, () -> new ExportedProgram(path, Archive.read(path)));
  }

  /**
   * Whether a file is an archive of torch.export or AOTInductor, whatever its name; or is named as
   * one ({@code .pt2}) and is nothing else that is known: {@link #read} then says what is wrong.
   */
  public static boolean isArchive(Path path) {
    return Archive.isArchive(path);
  }

  /** The torch that wrote it; null where the file does not tell. */
  public String torchVersion() {
    return contents.version().torch();
  }

  /** The version of the file's schema: "8.15". */
  String schemaVersion() {
    return contents.version().major() + "." + contents.version().minor();
  }

  /**
   * The example inputs that the program was exported with, one for each argument that has tensors,
   * or numbers that sizes depend on (as scalars). Other numbers, and texts, keep their values and
   * are not among them.
   *
   * @throws ProgramException where the file does not tell a dimension or such a number
   */
  public List<InputSpec> sampleInputs() {
    return said(path, inputs::samples);
  }

  /** The arguments that {@link #sampleInputs} has, by name. */
  public List<String> inputNames() {
    return inputs.titles();
  }

  /**
   * The given inputs in the order of {@link #inputNames}; numbers that are not given are the
   * example's.
   *
   * @throws IllegalArgumentException where one has no place, or one is missing
   */
  public List<InputSpec> place(List<InputSpec> given) {
    return said(path, () -> inputs.place(given));
  }

  /**
   * What one forward call does with inputs of these shapes.
   *
   * @param given as {@link #place} takes them; null for the example inputs
   * @throws IllegalArgumentException where they do not fit
   * @throws ProgramException where the graph contradicts itself, or a size does not follow from
   *     them
   */
  public OpTrace trace(List<InputSpec> given) {
    return said(path, () -> given == null ? traceOfSamples() : traceOf(given));
  }

  /**
   * The file's own conditions on inputs ({@code guards_code}) that are not checked here: some are
   * not understood, some pass 2^63 for these inputs. Each with its text and the reason.
   *
   * @param given as {@link #place} takes them; null for the example inputs
   * @throws IllegalArgumentException where one of the others does not hold
   */
  public List<String> uncheckedGuards(List<InputSpec> given) {
    return said(path, () -> guarded(given == null ? inputs.samples() : given));
  }

  /** Sizes first: what is wrong with one of them is said more plainly. */
  private List<String> guarded(List<InputSpec> given) {
    Map<String, InputSpec.Tensor> tensors = inputs.fit(given);
    InputSizes.bind(contents.program(), tensors);
    return guards.check(tensors);
  }

  private OpTrace traceOf(List<InputSpec> given) {
    guarded(given);
    return Tracer.trace(contents.program(), weights, inputs, given);
  }

  private OpTrace traceOfSamples() {
    try {
      return traceOf(inputs.samples());
    } catch (InputException e) {
      // The examples are the file's own.
      throw new GraphException(e.getMessage());
    }
  }

  /**
   * The program laid out to be run; with what cannot be, which the native side refuses.
   *
   * @throws ProgramException where the graph contradicts itself
   */
  public FlatProgram flat() {
    return said(path, () -> ProgramLayout.of(contents, weights));
  }

  /**
   * Like {@link #trace}, but null where a size depends on values, so that only a run can tell.
   *
   * @throws IllegalArgumentException where the inputs do not fit
   * @throws ProgramException where the graph contradicts itself
   */
  public OpTrace traceOrNull(List<InputSpec> given) {
    return said(
        path,
        () -> {
          guarded(given);
          try {
            return traceOf(given);
          } catch (UnboundSize e) {
            return null;
          }
        });
  }

  /**
   * The tensors and numbers of these inputs in the order in which a run takes them.
   *
   * @throws IllegalArgumentException where they do not fit
   */
  public List<InputSpec> leaves(List<InputSpec> given) {
    return said(
        path,
        () -> {
          guarded(given);
          return inputs.leaves(given);
        });
  }

  /** Which of {@link #leaves} are numbers, that no memory of a device holds. */
  public List<Boolean> leafNumbers() {
    return inputs.numbers();
  }

  /** Where in the arguments each of {@link #leaves} lies: "x", "state.0", "batch.rgb". */
  public List<String> leafPaths() {
    return inputs.paths();
  }

  /** Parameters, buffers and constants; those that are tied share a storage. */
  public List<Weight> weights() {
    return weights.all();
  }

  /** Products (convolutions, matrix products …) of the graph that nothing depends on. */
  public int deadProducts() {
    return Liveness.deadProducts(contents.program().graph());
  }

  private static <T> T said(Path path, Supplier<T> work) {
    try {
      return work.get();
    } catch (InputException e) {
      throw new IllegalArgumentException(oneLine(path + ": " + e.getMessage()));
    } catch (GraphException e) {
      throw new ProgramException(oneLine(path + ": " + e.getMessage()));
    }
  }

  /** Names and texts of the file are anyone's: no control characters, no endless line. */
  static String oneLine(String text) {
    String line = text;
    // The remedy at the end stays.
    if (text.length() > 1000)
      line = text.substring(0, 700) + "…" + text.substring(text.length() - 250);
    return line.replaceAll("[\\p{Cntrl}\\u2028\\u2029\\uFFFD]", "?");
  }
}
