package org.rpx.agent.exported;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of torch._export.serde.schema.ScalarType. */
class DtypeTest {
  @ParameterizedTest
  @CsvSource({
    "1,uint8,1",
    "2,int8,1",
    "3,int16,2",
    "4,int32,4",
    "5,int64,8",
    "6,float16,2",
    "7,float32,4",
    "8,float64,8",
    "9,complex32,4",
    "10,complex64,8",
    "11,complex128,16",
    "12,bool,1",
    "13,bfloat16,2",
    "28,uint16,2",
    "29,float8_e4m3fn,1",
    "30,float8_e5m2,1",
    "31,float8_e4m3fnuz,1",
    "32,float8_e5m2fnuz,1",
    "33,float8_e8m0fnu,1",
    "34,uint32,4",
    "35,uint64,8",
  })
  void isTheSchemas(int code, String name, int bytes) {
    assertThat(Dtype.of(code).torchName()).isEqualTo(name);
    assertThat(Dtype.of(code).bytes()).isEqualTo(bytes);
  }

  @Test
  void othersAreUnknown() {
    for (int code : new int[] {-1, 0, 14, 27, 36}) assertThat(Dtype.of(code)).isNull();
  }
}
