package org.rpx.agent.exported;

/**
 * Element types by the numbers that torch.export writes. They are those of
 * torch._export.serde.schema.ScalarType, not c10's: float32 is 7 here and 6 there.
 */
enum Dtype {
  UINT8(1, 1, "uint8"),
  INT8(2, 1, "int8"),
  INT16(3, 2, "int16"),
  INT32(4, 4, "int32"),
  INT64(5, 8, "int64"),
  FLOAT16(6, 2, "float16"),
  FLOAT32(7, 4, "float32"),
  FLOAT64(8, 8, "float64"),
  COMPLEX32(9, 4, "complex32"),
  COMPLEX64(10, 8, "complex64"),
  COMPLEX128(11, 16, "complex128"),
  BOOL(12, 1, "bool"),
  BFLOAT16(13, 2, "bfloat16"),
  UINT16(28, 2, "uint16"),
  FLOAT8_E4M3FN(29, 1, "float8_e4m3fn"),
  FLOAT8_E5M2(30, 1, "float8_e5m2"),
  FLOAT8_E4M3FNUZ(31, 1, "float8_e4m3fnuz"),
  FLOAT8_E5M2FNUZ(32, 1, "float8_e5m2fnuz"),
  FLOAT8_E8M0FNU(33, 1, "float8_e8m0fnu"),
  UINT32(34, 4, "uint32"),
  UINT64(35, 8, "uint64");

  private final int code;
  private final int bytes;
  private final String torchName;

  Dtype(int code, int bytes, String torchName) {
    this.code = code;
    this.bytes = bytes;
    this.torchName = torchName;
  }

  /** Bytes of an element. */
  int bytes() {
    return bytes;
  }

  /** PyTorch's name. */
  String torchName() {
    return torchName;
  }

  /** Null where no type has the number. */
  static Dtype of(long code) {
    for (Dtype type : values()) if (type.code == code) return type;
    return null;
  }
}
