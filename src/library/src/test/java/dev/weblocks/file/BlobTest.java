package dev.weblocks.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlobTest {

  /** Returns the result of an async function body, or name and message of its exception. */
  private static String returned(String body) {
    List<String> log =
        Scenario.logOf(
            "(async () => {"
                + body
                + "})().then(v => console.log(String(v)), e => console.log(e.name + ': ' + e.message));");
    assertEquals(1, log.size(), log.toString());
    return log.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "[] | ''",
        "['a', 'b'] | 'ab'",
        "['\u00e9\ud83d\ude00'] | '\u00e9\ud83d\ude00'",
        "['\\ud800'] | '\ufffd'",
        "[1, null, undefined, true, {}] | '1nullundefinedtrue[object Object]'",
        "[new Blob(['x', 'y']), 'z'] | 'xyz'",
        "[new File(['f'], 'name')] | 'f'",
        "[new Uint8Array([97, 98]), new Uint8Array([99]).buffer] | 'abc'",
        "[new Uint8Array([97, 98, 99, 100]).subarray(1, 3)] | 'bc'",
        "[new DataView(new Uint8Array([97, 98, 99]).buffer, 2)] | 'c'",
        "[new Uint16Array([0x6261])] | 'ab'",
        "new Set(['s', 't']) | 'st'",
        "Object('string') | 'string'",
        "function* () { yield 'from '; yield 'a generator'; }() | 'from a generator'",
      },
      delimiter = '|')
  void parts_of_all_kinds_follow_one_another(String parts, String expected) {
    assertEquals(expected, returned("return new Blob(" + parts + ").text();"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "new Blob('text')",
        "new Blob({})",
        "new Blob(null)",
        "new Blob([Symbol()])",
        "new Blob([], 1)",
        "new Blob([], {endings: 'other'})",
        "new Blob([new Uint8Array(new SharedArrayBuffer(1))])",
        "new File()",
        "new File([])",
        "new File('text', 'name')",
        "Blob()",
        "Blob.prototype.size",
        "Blob.prototype.slice.call({})",
      },
      delimiter = '|')
  void invalid_arguments_are_type_errors(String expression) {
    assertEquals(
        "TypeError",
        returned("try { " + expression + "; return 'no error'; } catch (e) { return e.name; }"));
  }

  @ParameterizedTest
  @CsvSource({
    "transparent, 0d 61 0d 0a 62 0a 0a 0d 0d",
    "native, 0a 61 0a 62 0a 0a 0a 0a",
  })
  void native_endings_convert_line_ends_of_strings_to_line_feeds(String endings, String expected) {
    assertEquals(
        expected,
        returned(
            """
            const blob = new Blob(['\\ra\\r\\nb\\n\\n\\r\\r'], {endings: '%s'});
            const bytes = await blob.bytes();
            return Array.from(bytes, b => b.toString(16).padStart(2, '0')).join(' ');
            """
                .formatted(endings)));
  }

  @Test
  void native_endings_convert_no_line_ends_in_blob_or_buffer_parts() {
    assertEquals(
        "13,10,13",
        returned(
            """
            const parts = [new Blob(['\\r\\n']), new Uint8Array([13])];
            return (await new Blob(parts, {endings: 'native'}).bytes()).join();
            """));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "`text/plain` | text/plain",
        "`TEXT/Plain;Charset=X` | text/plain;charset=x",
        "`no type at all~ ` | 'no type at all~ '",
        "`te\\u00e9t` | ''",
        "`te\\tt` | ''",
        "`\\u007f` | ''",
        "`\\u0130` | ''",
        "null | null",
        "undefined | ''",
      },
      delimiter = '|')
  void type_is_lower_case_or_empty(String type, String expected) {
    String all =
        """
        const type = %s;
        const blob = new Blob([], {type});
        const file = new File([], 'n', {type});
        const slice = blob.slice(0, 0, type);
        return [blob, file, slice].map(b => b.type).join('|');
        """
            .formatted(type);
    assertEquals(expected + "|" + expected + "|" + expected, returned(all));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "'' | abcdefgh",
        "2 | cdefgh",
        "2, 5 | cde",
        "-3 | fgh",
        "-3, -1 | fg",
        "-100, 2 | ab",
        "0, 100 | abcdefgh",
        "5, 2 | ''",
        "8 | ''",
        "9, 20 | ''",
        "0, -100 | ''",
        "undefined, 3 | abc",
        "null, 3 | abc",
        "NaN, 3 | abc",
        "1.5, 3.5 | cd",
        "-Infinity, Infinity | abcdefgh",
        "2 ** 64, 2 ** 65 | ''",
        "'1', {valueOf() { return 2; }} | b",
      },
      delimiter = '|')
  void slice_keeps_its_positions_within_the_blob(String arguments, String expected) {
    String code =
        """
        const blob = new Blob(['abc', 'def', new Blob(['gh'])], {type: 'a/b'});
        const slice = blob.slice(%s);
        const text = await slice.text();
        return text + ' ' + (slice.size === text.length) + ' [' + slice.type + ']';
        """;
    assertEquals(expected + " true []", returned(code.formatted(arguments)));
  }

  @Test
  void slice_of_a_file_is_a_blob_but_not_a_file() {
    assertEquals(
        "true false b/c bc",
        returned(
            """
            const slice = new File(['abc'], 'name', {type: 'a/b'}).slice(1, 3, 'B/C');
            return [slice instanceof Blob, slice instanceof File, slice.type, await slice.text()]
              .join(' ');
            """));
  }

  @Test
  void bytes_of_a_blob_do_not_change_with_its_source() {
    assertEquals(
        "1,2 1,2 9,2",
        returned(
            """
            const source = new Uint8Array([1, 2]);
            const blob = new Blob([source]);
            source[0] = 8;
            const first = await blob.bytes();
            const kept = first.join();
            first[0] = 9;
            return kept + ' ' + (await blob.bytes()).join() + ' ' + first.join();
            """));
  }

  @Test
  void detached_buffer_adds_no_bytes_to_a_blob() {
    assertEquals(
        "0",
        returned(
            """
            const buffer = new ArrayBuffer(8);
            buffer.transfer();
            return new Blob([buffer]).size;
            """));
  }

  @Test
  void blob_of_petabytes_can_be_created_but_not_read() {
    assertEquals(
        "NotReadableError 4503599627370496 xx RangeError",
        returned(
            """
            let blob = new Blob(['x']);
            for (let i = 0; i < 52; i++) {
              blob = new Blob([blob, blob]);
            }
            const error = await blob.arrayBuffer().catch(e => e);
            let tooLarge;
            try { new Blob([blob, blob]); } catch (e) { tooLarge = e.name; }
            return [error.name, blob.size, await blob.slice(-2).text(), tooLarge].join(' ');
            """));
  }

  @Test
  void read_methods_return_values_of_the_right_type() {
    assertEquals(
        "[object ArrayBuffer] 2 [object Uint8Array] 2 string",
        returned(
            """
            const blob = new Blob(['ab']);
            const buffer = await blob.arrayBuffer();
            const bytes = await blob.bytes();
            const tag = value => Object.prototype.toString.call(value);
            return [tag(buffer), buffer.byteLength, tag(bytes), bytes.length,
              typeof await blob.text()].join(' ');
            """));
  }

  @Test
  void reads_complete_as_tasks_in_order() {
    assertEquals(
        List.of("now", "microtask", "text", "bytes"),
        Scenario.logOf(
            """
            const blob = new Blob(['x']);
            blob.text().then(() => console.log('text'));
            blob.bytes().then(() => console.log('bytes'));
            let later = Promise.resolve();
            for (let i = 0; i < 100; i++) later = later.then(() => {});
            later.then(() => console.log('microtask'));
            console.log('now');
            """));
  }

  @Test
  void read_method_called_on_a_wrong_receiver_rejects() {
    assertEquals("TypeError", returned("return Blob.prototype.text.call({}).catch(e => e.name);"));
  }

  @Test
  void file_has_its_name_and_last_modified_time() {
    assertEquals(
        "a/b:\ufffd.txt 42 0 0 text/x 3",
        returned(
            """
            const file = new File(['abc'], 'a/b:\\ud800.txt', {type: 'TEXT/x', lastModified: 42.9});
            const at = lastModified => new File([], 'n', {lastModified}).lastModified;
            return [file.name, file.lastModified, at(NaN), at(null), file.type, file.size].join(' ');
            """));
  }

  @Test
  void last_modified_time_of_a_file_defaults_to_the_current_time() {
    assertEquals(
        "true true 5000",
        returned(
            """
            const time = () => performance.timeOrigin + performance.now();
            const before = time();
            const first = new File([], 'n').lastModified;
            await new Promise(resolve => setTimeout(resolve, 5000));
            const second = new File([], 'n', {lastModified: undefined}).lastModified;
            const whole = Number.isInteger(first) && Number.isInteger(second);
            return [whole, Math.abs(first - before) <= 1, Math.round((second - first) / 100) * 100]
              .join(' ');
            """));
  }

  @Test
  void blob_and_file_can_be_sent_to_a_worker_and_back() {
    try (Scenario scenario = new Scenario(1)) {
      assertEquals(
          List.of("[object Blob] true a/b 3 abc", "[object File] name 7 c/d f", "same true"),
          scenario
              .resource(
                  "/echo.js",
                  """
                  onmessage = async ({data}) => {
                    const {blob, file} = data;
                    console.log(`${blob} ${blob instanceof Blob && !(blob instanceof File)}`
                      + ` ${blob.type} ${blob.size} ${await blob.text()}`);
                    console.log(`${file} ${file.name} ${file.lastModified} ${file.type}`
                      + ` ${await file.text()}`);
                    postMessage([blob, blob]);
                  };
                  """)
              .window(
                  """
                  const worker = new Worker('/echo.js');
                  worker.onmessage = ({data}) => {
                    console.log('same ' + (data[0] === data[1]));
                    worker.terminate();
                  };
                  const blob = new Blob(['a', 'bc'], {type: 'a/b'});
                  const file = new File(['f'], 'name', {type: 'c/d', lastModified: 7});
                  worker.postMessage({blob, file});
                  """)
              .run());
    }
  }
}
