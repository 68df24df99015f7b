package org.rpx.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rpx.agent.engine.NativeException.Code;

class NativeExceptionTest {
  @ParameterizedTest
  @EnumSource
  void takesEachCodeOffTheFront(Code code) {
    NativeException e = new NativeException(code.name() + ": it is so");

    assertThat(e.code()).isEqualTo(code);
    assertThat(e).hasMessage("it is so");
  }

  @Test
  void onlyTheFirstColonEndsTheCode() {
    NativeException e = new NativeException("INPUT: DEVICE: none");

    assertThat(e.code()).isEqualTo(Code.INPUT);
    assertThat(e).hasMessage("DEVICE: none");
  }

  @ParameterizedTest
  @CsvSource({
    "std::exception",
    "SOMETHING: else",
    "input: in small letters",
    "INPUT:no space",
    "a colon: not the first, INPUT: x",
    "': no code'",
    "''"
  })
  void textWithoutAKnownCodeIsInternalAndWhole(String text) {
    NativeException e = new NativeException(text);

    assertThat(e.code()).isEqualTo(Code.INTERNAL);
    assertThat(e).hasMessage(text);
  }

  @Test
  void controlCharactersOfADamagedFileBecomeQuestionMarks() {
    NativeException e = new NativeException("MODEL_LOAD: found '\u001b[31m\u0000é' here");

    assertThat(e.code()).isEqualTo(Code.MODEL_LOAD);
    assertThat(e).hasMessage("found '?[31m?é' here");
  }

  @Test
  void aboutPutsTheSubjectInFrontAndKeepsTheRest() {
    NativeException first = new NativeException(Code.OUT_OF_MEMORY, "no more");

    NativeException named = first.about("net.pt");

    assertThat(named.code()).isEqualTo(Code.OUT_OF_MEMORY);
    assertThat(named).hasMessage("net.pt: no more").hasCause(first);
    assertThat(first).hasMessage("no more");
  }
}
