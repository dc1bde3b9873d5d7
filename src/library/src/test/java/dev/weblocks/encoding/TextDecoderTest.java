package dev.weblocks.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TextDecoder as pages see it. */
class TextDecoderTest {

  private static final String PRELUDE =
      """
      const out = [];
      const say = x => out.push(String(x));
      const fails = f => { try { say(f()); } catch (e) { say(e.constructor.name); } };
      const u8 = (...bytes) => new Uint8Array(bytes);
      """;

  private static void assertLog(String expected, String script) {
    assertEquals(
        List.of(expected), Scenario.logOf(PRELUDE + script + ";console.log(out.join('|'))"));
  }

  @Test
  void attributes_reflect_the_constructor_arguments() {
    assertLog(
        "utf-8 false false|windows-1252 true false|shift_jis false true|iso-8859-8-i false false",
        """
        const show = d => say([d.encoding, d.fatal, d.ignoreBOM].join(' '));
        show(new TextDecoder());
        show(new TextDecoder(' Latin1\\n', {fatal: 1}));
        show(new TextDecoder('csShiftJIS', {ignoreBOM: true}));
        show(new TextDecoder('logical'));
        """);
  }

  @Test
  void unknown_labels_and_the_replacement_encoding_throw_a_range_error() {
    assertLog(
        "RangeError|RangeError|RangeError|RangeError|TypeError"
            + "|Failed to construct 'TextDecoder': The encoding label provided ('utf-7') is invalid.",
        """
        fails(() => new TextDecoder('utf-7'));
        fails(() => new TextDecoder(''));
        fails(() => new TextDecoder('hz-gb-2312'));
        fails(() => new TextDecoder(null));
        fails(() => TextDecoder());
        try { new TextDecoder('utf-7') } catch (e) { say(e.message) }
        """);
  }

  @Test
  void options_are_converted_before_the_label_is_looked_up() {
    assertLog(
        "label fatal ignoreBOM|RangeError",
        """
        const order = [];
        fails(() => new TextDecoder(
            {toString() { order.push('label'); return 'nonsense'; }},
            {get ignoreBOM() { order.push('ignoreBOM') }, get fatal() { order.push('fatal') }}));
        out.unshift(order.join(' '));
        """);
  }

  @Test
  void decode_accepts_buffers_and_any_view_of_them() {
    assertLog(
        "abcd|bc|bc|abcd||",
        """
        const bytes = u8(97, 98, 99, 100);
        const decoder = new TextDecoder();
        say(decoder.decode(bytes.buffer));
        say(decoder.decode(bytes.subarray(1, 3)));
        say(decoder.decode(new DataView(bytes.buffer, 1, 2)));
        say(decoder.decode(new Uint32Array(bytes.buffer)));
        say(decoder.decode());
        say(decoder.decode(undefined));
        """);
  }

  @Test
  void argument_that_is_no_buffer_source_throws_a_type_error() {
    assertLog(
        "TypeError|TypeError|TypeError|TypeError",
        """
        const decoder = new TextDecoder();
        fails(() => decoder.decode('text'));
        fails(() => decoder.decode([97]));
        fails(() => decoder.decode(null));
        fails(() => TextDecoder.prototype.decode.call({}, u8(97)));
        """);
  }

  @Test
  void a_detached_buffer_decodes_to_an_empty_string() {
    assertLog(
        "0",
        """
        const bytes = u8(97, 98);
        bytes.buffer.transfer();
        say(new TextDecoder().decode(bytes).length);
        """);
  }

  @Test
  void shared_buffers_are_accepted() {
    assertLog(
        "hi|i|2 h\u00E9",
        """
        const shared = new SharedArrayBuffer(3);
        const view = new Uint8Array(shared);
        view.set([104, 105, 0]);
        say(new TextDecoder().decode(shared).slice(0, 2));
        say(new TextDecoder().decode(view.subarray(1, 2)));
        say(new TextEncoder().encodeInto('h\u00E9', view).read + ' ' + new TextDecoder().decode(view));
        """);
  }

  @Test
  void decoder_keeps_its_state_until_a_call_without_stream() {
    assertLog(
        "x||€|y|\uFFFD|€",
        """
        const decoder = new TextDecoder();
        say(decoder.decode(u8(120, 0xE2), {stream: true}));
        say(decoder.decode(u8(0x82), {stream: true}));
        say(decoder.decode(u8(0xAC), {stream: true}));
        say(decoder.decode(u8(121, 0xE2), {stream: true}));
        say(decoder.decode());
        say(decoder.decode(u8(0xE2, 0x82, 0xAC)));
        """);
  }

  @Test
  void bytes_of_a_chunk_are_copied_at_the_call() {
    assertLog(
        "|\uFFFDa",
        """
        const bytes = u8(0xF0, 0x9F);
        const decoder = new TextDecoder();
        say(decoder.decode(bytes, {stream: true}));
        bytes.fill(98);
        say(decoder.decode(u8(97)));
        """);
  }

  @Test
  void byte_order_mark_is_skipped_once_per_stream() {
    assertLog(
        "1:61|2:feff,61|2:feff,61|1:61|1:61|2:feff,61|3:ef,bb,bf",
        """
        const show = text => say(
            text.length + ':' + [...text].map(each => each.charCodeAt(0).toString(16)).join());
        const mark = [0xEF, 0xBB, 0xBF];
        const decoder = new TextDecoder();
        show(decoder.decode(u8(...mark, 97)));
        show(new TextDecoder('utf-8', {ignoreBOM: true}).decode(u8(...mark, 97)));
        show(decoder.decode(u8(...mark, ...mark, 97)));
        decoder.decode(u8(0xEF), {stream: true});
        decoder.decode(u8(0xBB), {stream: true});
        show(decoder.decode(u8(0xBF, 97)));
        show(new TextDecoder('utf-16be').decode(u8(0xFE, 0xFF, 0, 97)));
        decoder.decode(u8(), {stream: true});
        decoder.decode(u8(...mark), {stream: true});
        show(decoder.decode(u8(...mark, 97)));
        show(new TextDecoder('latin1').decode(u8(...mark)).replace('»', '\\xbb'));
        """);
  }

  @Test
  void fatal_errors_are_type_errors_and_reset_the_decoder() {
    assertLog(
        "TypeError|ok|TypeError|ok|TypeError"
            + "|Failed to execute 'decode' on 'TextDecoder': The encoded data was not valid.",
        """
        const decoder = new TextDecoder('utf-8', {fatal: true});
        const ok = u8(111, 107);
        fails(() => decoder.decode(u8(97, 0xFF)));
        fails(() => decoder.decode(ok));
        fails(() => decoder.decode(u8(0xE2)));
        fails(() => decoder.decode(ok));
        fails(() => { decoder.decode(u8(0xE2), {stream: true}); return decoder.decode(); });
        try { decoder.decode(u8(0xFF)) } catch (e) { say(e.message) }
        """);
  }

  @Test
  void fatal_error_within_a_stream_keeps_the_bytes_after_it() {
    assertLog(
        "TypeError|bc",
        """
        const decoder = new TextDecoder('utf-8', {fatal: true});
        fails(() => decoder.decode(u8(97, 0xFF, 98), {stream: true}));
        say(decoder.decode(u8(99)));
        """);
  }

  @Test
  void replaced_prototype_members_have_no_effect() {
    assertLog(
        "hi|1,3",
        """
        for (const type of [ArrayBuffer, Uint8Array, Object.getPrototypeOf(Uint8Array), DataView]) {
          for (const key of Reflect.ownKeys(type.prototype)) {
            const {configurable} = Reflect.getOwnPropertyDescriptor(type.prototype, key);
            if (key !== 'constructor' && configurable) {
              Object.defineProperty(type.prototype, key, {get() { throw new Error(String(key)) }});
            }
          }
        }
        String.prototype.toWellFormed = null;
        say(new TextDecoder().decode(u8(104, 105)));
        const result = new TextEncoder().encodeInto('€', u8(0, 0, 0));
        say(result.read + ',' + result.written);
        """);
  }

  @Test
  void workers_have_text_decoder_too() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resource(
          "/worker.js",
          "postMessage(new TextDecoder('gbk').decode(new TextEncoder().encode('ok')) + atob('IQ'))");
      assertEquals(
          List.of("ok!"),
          scenario
              .window("new Worker('/worker.js').onmessage = event => console.log(event.data)")
              .run());
    }
  }

  @Tag("full")
  @Test
  void forty_thousand_chunks_are_decoded() {
    assertLog(
        "40000",
        """
        const decoder = new TextDecoder('shift_jis');
        const chunk = u8(0x82);
        const rest = u8(0xA0);
        let length = 0;
        for (let i = 0; i < 40000; i++) {
          length += decoder.decode(i % 2 ? rest : chunk, {stream: true}).length * 2;
        }
        say(length);
        """);
  }
}
