package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TextEncoder as pages see it. */
class TextEncoderTest {

  private static void assertLog(String expected, String script) {
    String prelude =
        """
        const out = [];
        const say = x => out.push(String(x));
        const encoder = new TextEncoder();
        const hex = bytes => Array.from(bytes, each => each.toString(16).padStart(2, '0')).join(' ');
        const into = (text, array) => {
          const result = encoder.encodeInto(text, array);
          say(JSON.stringify(result) + ' ' + hex(array));
        };
        """;
    assertEquals(
        List.of(expected), Scenario.logOf(prelude + script + ";console.log(out.join('|'))"));
  }

  @Test
  void encode_returns_utf_8_in_a_new_array() {
    assertLog(
        "utf-8|00 41 c2 80 e2 82 ac f0 9f 98 80|true true 0||75 6e 64 65 66",
        """
        say(encoder.encoding);
        say(hex(encoder.encode('\\0A\\x80€😀')));
        const empty = encoder.encode();
        say((empty instanceof Uint8Array) + ' ' + (empty.buffer instanceof ArrayBuffer) + ' '
            + empty.buffer.byteLength);
        say(hex(encoder.encode(undefined)));
        say(hex(encoder.encode({toString: () => 'undef'})));
        """);
  }

  @Test
  void lone_surrogates_become_replacement_characters() {
    assertLog(
        "61 ef bf bd 62|ef bf bd ef bf bd|ef bf bd f0 9f 98 80",
        """
        say(hex(encoder.encode('a\\uD83Db')));
        say(hex(encoder.encode('\\uDE00\\uD83D')));
        say(hex(encoder.encode('\\uD83D\\uD83D\\uDE00')));
        """);
  }

  @Test
  void encode_into_stops_before_a_character_that_does_not_fit() {
    assertLog(
        "{\"read\":2,\"written\":2} 61 62|{\"read\":1,\"written\":1} 61 00 00"
            + "|{\"read\":2,\"written\":4} 61 e2 82 ac|{\"read\":0,\"written\":0} 00 00 00"
            + "|{\"read\":3,\"written\":5} 61 f0 9f 98 80|{\"read\":0,\"written\":0} ",
        """
        into('ab', new Uint8Array(2));
        into('a€b', new Uint8Array(3));
        into('a€b', new Uint8Array(4));
        into('😀a', new Uint8Array(3));
        into('a😀b', new Uint8Array(5));
        into('a', new Uint8Array(0));
        """);
  }

  @Test
  void encode_into_writes_within_the_view_only() {
    assertLog(
        "{\"read\":2,\"written\":2} 78 79|ff 78 79 ff",
        """
        const all = new Uint8Array(4).fill(255);
        into('xyz', all.subarray(1, 3));
        say(hex(all));
        """);
  }

  @Test
  void encode_into_counts_a_lone_surrogate_as_one_code_unit() {
    assertLog(
        "{\"read\":2,\"written\":4} 61 ef bf bd 00", "into('a\\uD83D\\uD83D', new Uint8Array(5))");
  }

  @Test
  void encode_into_a_detached_array_writes_nothing() {
    assertLog(
        "{\"read\":0,\"written\":0}",
        """
        const array = new Uint8Array(4);
        array.buffer.transfer();
        say(JSON.stringify(encoder.encodeInto('ab', array)));
        """);
  }

  @Test
  void a_destination_in_a_resizable_buffer_is_refused() {
    assertLog(
        "TypeError 00 00",
        """
        const array = new Uint8Array(new ArrayBuffer(2, {maxByteLength: 4}));
        try { encoder.encodeInto('ab', array) } catch (e) { say(e.name + ' ' + hex(array)) }
        """);
  }

  @Test
  void encode_into_accepts_only_a_uint8_array() {
    assertLog(
        "TypeError TypeError TypeError TypeError TypeError",
        """
        const shown = [];
        for (const wrong of [new Int8Array(2), new Uint8ClampedArray(2), new ArrayBuffer(2), [0], null]) {
          try { encoder.encodeInto('a', wrong); shown.push('none') }
          catch (e) { shown.push(e.constructor.name) }
        }
        say(shown.join(' '));
        """);
  }

  @Test
  void large_texts_are_encoded_and_decoded() {
    assertLog(
        "4000000 true|6000000 true",
        """
        const ascii = 'weblocks'.repeat(500000);
        const bytes = encoder.encode(ascii);
        say(bytes.length + ' ' + (new TextDecoder().decode(bytes) === ascii));
        const wide = 'é€😀'.repeat(666666) + 'é€x';
        const wideBytes = encoder.encode(wide);
        say(wideBytes.length + ' ' + (new TextDecoder().decode(wideBytes) === wide));
        """);
  }
}
