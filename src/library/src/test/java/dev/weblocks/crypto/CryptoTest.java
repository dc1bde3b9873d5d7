package dev.weblocks.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code crypto} as script sees it.
 *
 * @see <a href="https://w3c.github.io/webcrypto/">Web Cryptography</a>
 */
class CryptoTest {

  private static String eval(String expression) {
    return Scenario.logOf(
            "let result; try { result = String("
                + expression
                + ") } catch (e) { result = e.name } console.log(result)")
        .getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Int8Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "Int16Array",
        "Uint16Array",
        "Int32Array",
        "Uint32Array",
        "BigInt64Array",
        "BigUint64Array"
      })
  void integer_arrays_are_overwritten_in_place(String type) {
    assertEquals(
        "true true",
        eval(
            """
            ((array) => (crypto.getRandomValues(array) === array) + ' ' + array.every((item) => item != 0))(new %s(4))\
            """
                .formatted(type)));
  }

  @Test
  void random_values_overwrite_only_the_bytes_of_the_view() {
    assertEquals(
        "0,0,true,true,true,true,0,0",
        eval(
            """
            ((bytes) => (crypto.getRandomValues(new Uint16Array(bytes.buffer, 2, 2)),
                Array.from(bytes, (byte, i) => i > 1 && i < 6 ? byte != 0 : byte)))(new Uint8Array(8))\
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "new Float16Array(1) | TypeMismatchError",
        "new Float32Array(1) | TypeMismatchError",
        "new Float64Array(70000) | TypeMismatchError",
        "new DataView(new ArrayBuffer(4)) | TypeMismatchError",
        "new Uint8Array(65537) | QuotaExceededError",
        "new Uint32Array(16385) | QuotaExceededError",
        "new ArrayBuffer(4) | TypeError",
        "[1] | TypeError",
        "undefined | TypeError",
      })
  void other_values_are_refused(String value, String error) {
    assertEquals(error, eval("crypto.getRandomValues(" + value + ")"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "new Uint8Array(65536) | 65536",
        "new Uint32Array(16384) | 16384",
        "new Uint8Array(0) | 0",
        "(a => (a.buffer.transfer(), a))(new Uint8Array(4)) | 0",
      })
  void arrays_up_to_the_limit_are_allowed(String value, String length) {
    assertEquals(length, eval("crypto.getRandomValues(" + value + ").length"));
  }

  @Test
  void array_type_is_checked_even_if_tag_and_prototype_are_fake() {
    assertEquals(
        "TypeMismatchError",
        eval(
            """
            (() => {
              Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, { get: () => 'Uint8Array' });
              return crypto.getRandomValues(Object.setPrototypeOf(new Float32Array(1), Uint8Array.prototype));
            })()\
            """));
  }

  @Test
  void uuids_have_version_four_and_are_distinct() {
    assertEquals(
        "true",
        eval(
            """
            (() => {
              const all = new Set(Array.from({ length: 50 }, () => crypto.randomUUID()));
              return all.size === 50 && [...all].every(id => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id));
            })()\
            """));
  }

  private static List<String> draw(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      return scenario
          .window(
              "console.log(crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(8)).join())")
          .run();
    }
  }

  @Test
  void same_seed_gives_the_same_random_values() {
    assertEquals(draw(7), draw(7));
    assertNotEquals(draw(7), draw(8));
  }

  @Test
  void insecure_contexts_have_no_random_uuid_method() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("undefined function"),
          scenario
              .windowAt(
                  "http://insecure.test",
                  "console.log(typeof crypto.randomUUID, typeof crypto.getRandomValues)")
              .run()
              .stream()
              .toList());
    }
  }

  @Test
  void crypto_object_is_unique_and_cannot_be_constructed() {
    assertEquals("true", eval("crypto === crypto && crypto instanceof Crypto"));
    assertEquals("TypeError", eval("new Crypto()"));
    assertEquals("undefined", eval("Object.getOwnPropertyDescriptor(window, 'crypto').set"));
  }

  @Test
  void workers_have_crypto_too() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("36"),
          scenario
              .resource("/w.js", "console.log(crypto.randomUUID().length)")
              .window("new Worker('/w.js')")
              .run());
    }
  }
}
