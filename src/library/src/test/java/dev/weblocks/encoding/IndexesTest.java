package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Comparison of the indexes with those of the standard. The digests were made from its index files:
 * a big-endian 32-bit integer for each pointer, -1 for a pointer without a mapping.
 */
class IndexesTest {

  private static String digest(int[] table) {
    ByteBuffer bytes = ByteBuffer.allocate(table.length * Integer.BYTES);
    bytes.asIntBuffer().put(table);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "JIS0208, f80435e59f4b84b7973ff235e45ff0b3386a90d48496e9502358558ed300e63c",
    "JIS0212, 23511690b3c7158771149f2f3bdd7afbe69f8247bc20cf992b8abe9f9970c783",
    "BIG5, 729387dca039e49f16d3483cf1dcd2f7fa4f4c36123d7f82c8971ad30fc38a9c",
    "EUC_KR, 56c34b62c2dcc9a8081760e1be98f2eafc17a18848ca98a26b2d32d9948365d2",
    "GB18030, cddc6e7a23416ea07f3cc0ef0b10a733247eb84e45bdff86326dab971f40e03c",
    "GB18030_RANGES, 1f3b41c996dff65e409283fd7914a6843f7d9b21b7ab2ec475496d8603240f43",
  })
  void multi_byte_index_equals_that_of_the_standard(Index index, String digest) {
    assertEquals(digest, digest(new Indexes(Charset::forName).get(index)));
  }

  @ParameterizedTest
  @CsvSource({
    "IBM866, 69ba1615a0c551794dd9a50030fdc54a0842b0943742e604526ba78a2ed43833",
    "ISO_8859_2, 73b05e2d3decac58107118856094d0ea4f77b7a5341bce1919c3baa3c3d28db1",
    "ISO_8859_3, da699ac815464f269ccf772317cd6462fa721767808ed6dd3a426b6093b72104",
    "ISO_8859_4, 242babab0ca497bc082be71683acbbddc0f6646cfc5a52bf474c7eeb7f408df4",
    "ISO_8859_5, 4ed7bc72211e3a5b1ba6b5e3e000417f46ecabf5985045e8eb5cea987be36902",
    "ISO_8859_6, 3025679e8a4d270ccaa50fb4d4f7f50358901200280101a1befb8ea6df433ae0",
    "ISO_8859_7, 6e7eaabb5d7e8f2e07330d132456814c88e593676413a1749b564a07dfe9f7e4",
    "ISO_8859_8, 7b7c3d2ff0c12c7255e6835aef2a779f14fe712507c1db61d3c6df75beb0a313",
    "ISO_8859_10, 49be0839646b10b986fbc9f4e3d3b8c776c115759bef5230076efcb6c982dde4",
    "ISO_8859_13, ab9d4e09efbebc4c305783b1e8a3eba20f62cf05c60a8bf0847e38bb01def51e",
    "ISO_8859_14, e704a36c96db735635df9d5b0dbaa2b974ce8743153166af30a5c4fa7e636df2",
    "ISO_8859_15, 2d833261a81fcd1590817ad72edfe2bcf172bf59b391530126b97e2b2650183a",
    "ISO_8859_16, 3f3379d58050f1ad4636560fd60236023de08a3ec38e5dff7baff7155b31518a",
    "KOI8_R, 705b4026e71ef5f78ddf18a60b23d165dc98f861c6bd4ef7bddebf90fa0b9d1d",
    "KOI8_U, b53eedf12cf360576eae3f36dfcdf7882cb5aea62cb21318e845458aaae1ed32",
    "MACINTOSH, 79f8ffb1e032f1ca9b2e14bb2eb56edb3040799f6db443635aa5b88358030602",
    "WINDOWS_874, 27fc8a7a2ebb30498bfd3e2834a4c2606c811713137b70ef4b533d9e1b1a7f6e",
    "WINDOWS_1250, 28c452e346de250bddf7a3a5616020ba68e44a6ced01d108a359fc0c53e90837",
    "WINDOWS_1251, 8c28eb21daaee44ea1d4de1380803fbbb84ee7610942454bbd26e248a4cc0ca7",
    "WINDOWS_1252, 57993eaefc3f0efc90e7ea667ffa8d17300fce0d5b51e5c96179c56a2d31c3cc",
    "WINDOWS_1253, 855065ac65fcace5dd3d82371212a04b2f067bbdfbc9e944d2e6f2937e3d794d",
    "WINDOWS_1254, 5e671be8f3b6a87862cb94c97296287c9ac8935a4197d41d7e06847037e12225",
    "WINDOWS_1255, 2bd5511ceddd393dd1fc088584867b5452b03d0ac278873e389e39c2bfae3cb1",
    "WINDOWS_1256, 71cdd13e624ba712a83a91410161b03f29d408065877e1adb96c5eea3bd29f21",
    "WINDOWS_1257, abf43a8118bc7e86c8fe7e766d103cd16c873e054c6e08e0acfd8c35d2a842e8",
    "WINDOWS_1258, 3b3982126ff7219119d98269d49e7f009c8e41ff013bbb4e1ba78834404b7eaa",
    "X_MAC_CYRILLIC, 6ae17e8d3fd6441ba2ddfd8cf3e3ce0d35bec1c3e70d8da8516212bcb352af6f",
  })
  void single_byte_index_equals_that_of_the_standard(Encoding encoding, String digest) {
    assertEquals(digest, digest(new Indexes(Charset::forName).singleByte(encoding)));
  }

  @Test
  void index_table_is_computed_once() {
    Indexes indexes = new Indexes(Charset::forName);
    assertSame(indexes.get(Index.EUC_KR), indexes.get(Index.EUC_KR));
  }

  @ParameterizedTest
  @EnumSource(Index.class)
  void a_missing_charset_is_named_in_the_error(Index index) {
    Indexes indexes =
        new Indexes(name -> {
          throw new UnsupportedCharsetException(name);
        });
    String message =
        assertThrows(IndexUnavailableException.class, () -> indexes.get(index)).getMessage();
    assertTrue(message.contains(index.charset), message);
    assertTrue(message.contains("jdk.charsets"), message);
  }

  @ParameterizedTest
  @EnumSource(Index.class)
  void charset_that_differs_from_the_index_of_the_standard_is_refused(Index index) {
    Indexes indexes = new Indexes(name -> StandardCharsets.UTF_16BE);
    String message =
        assertThrows(IndexUnavailableException.class, () -> indexes.get(index)).getMessage();
    assertTrue(message.contains(index.standardName), message);
  }
}
