package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rpx.agent.trace.InputSpec;

/** Inputs that do not fit: which, why, and what would. */
class InputErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "export_dynamic_batch | 65x3x64x64 | dimension 0 of input x is 65, the program was exported"
            + " for 1 to 64",
        "export_dynamic_batch | 0x3x64x64 | dimension 0 of input x is 0, the program was exported"
            + " for 1 to 64",
        "export_dynamic_batch | 2x3x64x32 | dimension 3 of input x is 32, the program was exported"
            + " for 64",
        "export_dynamic_batch | 2x3x64 | input x has 3 dimensions, the program was exported for 4",
        "export_dynamic_batch | 2x3x64x64:float16 | input x is float16, the program was exported"
            + " for float32",
        "export_dynamic_batch | 2x3x64x64;1 | forward takes x, and more are given",
        "export_dynamic_batch | '' | forward takes x, and x is not given",
        "export_dynamic_batch | y:2x3x64x64 | forward has no input \"y\"; forward takes x",
        "export_dynamic_batch | (2x3x64x64,1) | input x is one tensor",
        "export_dict_input | 1x3x96x128 | input batch is a dict of rgb, depth, state",
        "export_dict_input | {rgb=1x3x96x128} | input batch is a dict of rgb, depth, state",
        "modes | {in=(4x8)};2 | input x.in is a tuple of 2",
        "modes | x:{in=(4x8,4x8)};x:{in=(4x8,4x8)} | input x is given twice",
        "modes | factor:scalar:int64=2 | input factor is part of the program, as it was exported;"
            + " forward takes x, extra; export the model with the other value",
        "numbers | 6x8;{shift=8};scalar:float32=3 | input rows is a number; write it as",
        "numbers | 6x8;{shift=8};rows:scalar:int64=7 | input rows is 7, the program was exported"
            + " for 0 to 6",
        "derived | 3x8;7x8 | dimension 0 of input y is 7, the program was exported for 6 (",
        "versions/torch_2_9 | 3x1x3x3;2x8 | dimension 0 of input scale is 2, the program was exported for 3 (",
        "numbers | 6x8;{shift=8};rows:scalar:int64=1 | input rows is 1: the program was exported for"
            + " L['rows'] != 1; give inputs for which that holds",
        "guarded | {rgb=10x3};(2,3) | dimension 0 of input batch.rgb is 10: the program was exported"
            + " for (L['batch']['rgb'].size()[0] % 4) == 0; give inputs for which that holds",
        "guarded | {rgb=8x3};(5,3) | dimension 0 of input pair.1 is 3, dimension 0 of input pair.0 is"
            + " 5, dimension 0 of input batch.rgb is 8: the program was exported for"
            + " L['pair'][1].size()[0] + L['pair'][0].size()[0] < L['batch']['rgb'].size()[0]; give",
        "value_sized | 4x8 | the size u0 does not follow from the inputs' shapes",
      })
  void areNamed(String file, String inputs, String what) {
    Path path = TestArchive.resource(file);
    ExportedProgram program = ExportedProgram.read(path);
    var specs =
        Arrays.stream(inputs.split(";")).filter(s -> !s.isEmpty()).map(InputSpec::parse).toList();
    // A size that follows from no input is no fault of theirs.
    boolean ofTheFile = file.equals("value_sized");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> program.trace(specs))
        .satisfies(e -> assertThat(e instanceof ProgramException).isEqualTo(ofTheFile))
        .withMessageStartingWith(path + ": " + what)
        .withMessageContaining("; ");
  }
}
