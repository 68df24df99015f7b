package org.rpx.agent.tier1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.rpx.agent.tier1.Calls.tensor;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rpx.agent.trace.TensorInfo;

/**
 * The right values are worked out by hand, from the rule in docs/method.md and from what
 * torch.einsum's documentation says of ellipses and implicit results: one MAC, 2 FLOPs, for each
 * product that is summed.
 */
class EinsumTest {

  @Test
  void contractsTwoOperandsAsAMatrixProduct() {
    assertThat(flops("ij,jk->ik", tensor(2, 3), tensor(3, 4))).isEqualTo(2 * 2 * 3 * 4);
    assertThat(flops("ij,kj->ik", tensor(2, 3), tensor(4, 3))).isEqualTo(2 * 2 * 3 * 4);
    assertThat(flops("i,i->", tensor(7), tensor(7))).isEqualTo(2 * 7);
  }

  @Test
  void countsTheScoresOfAnAttention() {
    assertThat(flops("bhid,bhjd->bhij", tensor(2, 3, 5, 8), tensor(2, 3, 7, 8)))
        .isEqualTo(2 * 2 * 3 * 5 * 7 * 8);
  }

  /** (ij,jk) first, 2·2·3·4, then with kl, 2·2·4·5; from the right it would be 180. */
  @Test
  void takesThreeOperandsFromLeftToRight() {
    assertThat(flops("ij,jk,kl->il", tensor(2, 3), tensor(3, 4), tensor(4, 5)))
        .isEqualTo(2 * 2 * 3 * 4 + 2 * 2 * 4 * 5);
  }

  @Test
  void takesTimeInProportionToItsOperands() {
    int n = 20_000;
    List<TensorInfo> operands = Collections.nCopies(n, tensor(2, 3));
    String equation = "ab,".repeat(n - 1) + "ab->";
    long flops = assertTimeout(Duration.ofSeconds(10), () -> Einsum.flops(equation, operands));
    // All but the last pair keep both letters, as later operands have them: outer, and free.
    assertThat(flops).isEqualTo(2 * 2 * 3);
  }

  /** The first pair may not sum i or j, which the third operand has too: it is an outer product. */
  @Test
  void keepsAnIndexThatALaterOperandHas() {
    assertThat(flops("ij,ik,ij->k", tensor(2, 3), tensor(2, 5), tensor(2, 3)))
        .isEqualTo(2 * 2 * 3 * 5);
  }

  @Test
  void broadcastsTheDimensionsBehindAnEllipsis() {
    assertThat(flops("...ij,...jk->...ik", tensor(5, 1, 2, 3), tensor(7, 3, 4)))
        .isEqualTo(2 * (5 * 7) * 2 * 3 * 4);
    assertThat(flops("...ij,jk->...ik", tensor(5, 7, 2, 3), tensor(3, 4)))
        .isEqualTo(2 * (5 * 7) * 2 * 3 * 4);
    assertThat(flops("i...,i...->...", tensor(6, 5), tensor(6, 5))).isEqualTo(2 * 5 * 6);
  }

  @Test
  void sumsAnEllipsisThatTheResultDoesNotHave() {
    assertThat(flops("...i,...i->i", tensor(4, 3), tensor(4, 3))).isEqualTo(2 * 4 * 3);
  }

  @Test
  void takesTheIndicesThatOccurOnceForAnImplicitResult() {
    assertThat(flops("ij,jk", tensor(2, 3), tensor(3, 4))).isEqualTo(2 * 2 * 3 * 4);
    assertThat(flops("i,i", tensor(7), tensor(7))).isEqualTo(2 * 7);
    assertThat(flops("i,j", tensor(7), tensor(5))).isZero();
    assertThat(flops("...i,...j", tensor(4, 7), tensor(4, 5))).isZero();
    assertThat(flops("...ij,...jk", tensor(5, 2, 3), tensor(5, 3, 4))).isEqualTo(2 * 5 * 2 * 3 * 4);
  }

  @Test
  void takesARepeatedIndexAsADiagonal() {
    assertThat(flops("ii,ij->j", tensor(3, 3), tensor(3, 4))).isEqualTo(2 * 3 * 4);
    assertThat(flops("ii->i", tensor(3, 3))).isZero();
    assertThat(flops("ii", tensor(3, 3))).isZero();
  }

  /** i is in the first operand alone and not in the result: 100 rows are summed, then 3·4 MACs. */
  @Test
  void sumsAnIndexOfOneOperandFirst() {
    assertThat(flops("ij,jk->k", tensor(100, 3), tensor(3, 4))).isEqualTo(2 * 3 * 4);
    assertThat(flops("jk,ij->k", tensor(3, 4), tensor(100, 3))).isEqualTo(2 * 3 * 4);
    assertThat(flops("ijk,jl->jl", tensor(2, 3, 4), tensor(3, 5))).isZero();
  }

  @Test
  void chargesNothingForAnIndexOfSizeOne() {
    assertThat(flops("ij,jk->ik", tensor(2, 1), tensor(1, 4))).isZero();
    assertThat(flops("ij,jk->ik", tensor(1, 3), tensor(3, 4))).isEqualTo(2 * 3 * 4);
  }

  /**
   * torch.einsum sums j of the operand that has it, and multiplies what is left: no contraction.
   */
  @Test
  void sumsFirstWhereTheOtherOperandHasSizeOne() {
    assertThat(flops("ij,jk->ik", tensor(2, 1), tensor(3, 4))).isZero();
    assertThat(flops("ij,jk->ik", tensor(2, 3), tensor(1, 4))).isZero();
    assertThat(flops("ijk,jkl->il", tensor(2, 1, 5), tensor(3, 5, 4))).isEqualTo(2 * 2 * 5 * 4);
  }

  @Test
  void chargesNothingWhereNothingIsSummed() {
    assertThat(flops("i,j->ij", tensor(7), tensor(5))).isZero();
    assertThat(flops("ij,ij->ij", tensor(7, 5), tensor(7, 5))).isZero();
    assertThat(flops("ij,ij->ij", tensor(7, 5), tensor(1, 5))).isZero();
    assertThat(flops("ij->ji", tensor(7, 5))).isZero();
    assertThat(flops("ij->", tensor(7, 5))).isZero();
  }

  @Test
  void chargesNothingForAnEmptyOperand() {
    assertThat(flops("ij,jk->ik", tensor(2, 0), tensor(0, 4))).isZero();
    assertThat(flops("ij,jk->ik", tensor(0, 3), tensor(3, 4))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {" ij , jk -> ik ", "i j,j k->i k", "ij,jk ->ik", "IJ,JK->IK"})
  void readsWhitespaceAndCapitals(String equation) {
    assertThat(flops(equation, tensor(2, 3), tensor(3, 4))).isEqualTo(2 * 2 * 3 * 4);
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> flops("ij,jk->ik", tensor(2, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ij,jk->ik");
    assertThatThrownBy(() -> flops("ij,jk->ik", tensor(2, 3), tensor(3, 4, 5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jk");
    assertThatThrownBy(() -> flops("ijk,k->ij", tensor(2, 3), tensor(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ijk");
  }

  @Test
  void doesNotWrapAround() {
    long large = 1L << 31;
    assertThatThrownBy(() -> flops("ij,jk->ik", tensor(large, large), tensor(large, large)))
        .isInstanceOf(ArithmeticException.class);
  }

  private static long flops(String equation, TensorInfo... operands) {
    return Einsum.flops(equation, List.of(operands));
  }
}
