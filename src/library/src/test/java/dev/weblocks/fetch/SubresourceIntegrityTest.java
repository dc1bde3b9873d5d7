package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.file.ByteSequence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubresourceIntegrityTest {

  /** The digests of "abc" as FIPS 180 gives them, in base64. */
  private static final String SHA256 = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

  private static final String SHA384 =
      "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn";

  private static final String SHA512 =
      "sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";

  @ParameterizedTest
  @CsvSource(
      value = {
        "''; true",
        "'nonsense md5-x sha256'; true",
        "'@256'; true",
        "'@384'; true",
        "'@512'; true",
        "'SHA256-ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0=?option'; true",
        "'sha256-AAAA'; false",
        "'sha256-AAAA @256'; true",
        "'@256 sha512-AAAA'; false",
        "'sha256-AAAA\t@384'; true",
        "'sha256-*'; true",
      },
      delimiter = ';')
  void strongest_digests_decide(String metadata, boolean expected) {
    String filled =
        metadata.replace("@256", SHA256).replace("@384", SHA384).replace("@512", SHA512);
    assertEquals(
        expected, SubresourceIntegrity.matches(ByteSequence.utf8Encode("abc"), filled), filled);
  }
}
