package org.rpx.agent.arrays;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Archives of arrays: two of numpy's own, and others member by member. */
public final class NpzFiles {
  /**
   * What numpy 2.4 wrote of {@code np.savez(f, **{"x": np.array([[1.5, -2]], "<f4"), "batch.rgb":
   * np.array([7], "u1")})}.
   */
  static final String STORED =
      "UEsDBC0AAAAAAAAAIQD9z6UI//////////8FABQAeC5ucHkBABAAiAAAAAAAAACIAAAAAAAAAJNOVU1QWQEA"
          + "dgB7J2Rlc2NyJzogJzxmNCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgxLCAyKSwgfSAg"
          + "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAADAPwAA"
          + "AMBQSwMELQAAAAAAAAAhAE4XxSn//////////w0AFABiYXRjaC5yZ2IubnB5AQAQAIEAAAAAAAAAgQAAAAAA"
          + "AACTTlVNUFkBAHYAeydkZXNjcic6ICd8dTEnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAo"
          + "MSwpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
          + "ICAgCgdQSwECLQMtAAAAAAAAACEA/c+lCIgAAACIAAAABQAAAAAAAAAAAAAAgAEAAAAAeC5ucHlQSwECLQMt"
          + "AAAAAAAAACEAThfFKYEAAACBAAAADQAAAAAAAAAAAAAAgAG/AAAAYmF0Y2gucmdiLm5weVBLBQYAAAAAAgAC"
          + "AG4AAAB/AQAAAAA=";

  /** The same by {@code np.savez_compressed}. */
  static final String DEFLATED =
      "UEsDBC0AAAAIAAAAIQD9z6UI//////////8FABQAeC5ucHkBABAAiAAAAAAAAABNAAAAAAAAAJvsF+obEMnI"
          + "UMZQrZ6SWpxcpG6loG6TZqKuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GoY6CkaaOgq1CmQDLgaG"
          + "A/YMQAIAUEsDBC0AAAAIAAAAIQBOF8Up//////////8NABQAYmF0Y2gucmdiLm5weQEAEACBAAAAAAAAAEUA"
          + "AAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgXlNqqK6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvka"
          + "hjqaOgq1ChQALnYAUEsBAi0DLQAAAAgAAAAhAP3PpQhNAAAAiAAAAAUAAAAAAAAAAAAAAIABAAAAAHgubnB5"
          + "UEsBAi0DLQAAAAgAAAAhAE4XxSlFAAAAgQAAAA0AAAAAAAAAAAAAAIABhAAAAGJhdGNoLnJnYi5ucHlQSwUG"
          + "AAAAAAIAAgBuAAAACAEAAAAA";

  private NpzFiles() {}

  static byte[] stored() {
    return Base64.getDecoder().decode(STORED);
  }

  static byte[] deflated() {
    return Base64.getDecoder().decode(DEFLATED);
  }

  /** A name, its content, and so on. */
  public static byte[] zip(Object... members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < members.length; i += 2) {
        zip.putNextEntry(new ZipEntry((String) members[i]));
        zip.write((byte[]) members[i + 1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
