package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies, transfers and writes of kinds of objects that only newer engines have. */
class NewerKindsTest {

  /** Returns the result of an expression, or the name and message of its exception. */
  private static String result(String needed, String code) {
    try (Scenario scenario = new Scenario(1)) {
      List<String> log =
          scenario
              .resource("/worker.js", "onmessage = e => postMessage(" + SHOW + "(e.data))")
              .window(
                  """
                  const show = %s;
                  const immutable = (...bytes) => new Uint8Array(bytes).buffer.transferToImmutable();
                  (async () => {
                    if (%s === undefined) return 'missing';
                    %s
                  })().then(text => console.log(text), e => console.log(e.name, e.message));
                  """
                      .formatted(SHOW, needed, code))
              .run();
      assumeTrue(!log.equals(List.of("missing")), () -> "the engine has no " + needed);
      return String.join("|", log);
    }
  }

  private static final String SHOW =
      "(v => { const b = v.buffer ?? v; return [v.constructor.name, b.immutable, b.resizable,"
          + " new Uint8Array(b).join('.'), v.byteOffset, v.length ?? v.byteLength].join(); })";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "immutable(1, 2) | ArrayBuffer,true,false,1.2,,2",
        "immutable() | ArrayBuffer,true,false,,,0",
        "new Uint16Array(immutable(1, 2, 3, 4), 2) | Uint16Array,true,false,1.2.3.4,2,1",
        "new DataView(immutable(1, 2, 3), 1, 1) | DataView,true,false,1.2.3,1,1",
        "new Uint8Array([1, 2]) | Uint8Array,false,false,1.2,0,2",
      })
  void copy_of_an_immutable_buffer_is_immutable_also_in_a_worker(String value, String expected) {
    String code =
        """
        const original = %s;
        const copy = structuredClone(original);
        const worker = new Worker('/worker.js');
        const there = new Promise(resolve => { worker.onmessage = e => resolve(e.data); });
        worker.postMessage(original);
        return [copy !== original, show(original) === show(copy), show(copy), await there].join(' ');
        """;
    assertEquals(
        "true true " + expected + " " + expected,
        result("ArrayBuffer.prototype.transferToImmutable", code.formatted(value)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "const b = immutable(1); const [c, u] = structuredClone([b, new Uint8Array(b)]); return u.buffer === c && c.immutable; | true",
        "const b = immutable(1); const [u, c] = structuredClone([new Uint8Array(b), b]); return u.buffer === c && c.immutable; | true",
        "new Worker('/worker.js').postMessage('', [immutable(1)]); | DataCloneError Failed to execute 'postMessage' on 'Worker': ArrayBuffer at index 0 is immutable and could not be transferred.",
        "const b = immutable(1); structuredClone(b, {transfer: [b]}); | DataCloneError Failed to execute 'structuredClone' on 'Window': ArrayBuffer at index 0 is immutable and could not be transferred.",
        "const b = new ArrayBuffer(2); try { structuredClone(1, {transfer: [b, immutable(1)]}); } catch (e) { return e.name + ' ' + b.detached; } | DataCloneError false",
        "const u = new Uint8Array(immutable(0, 0, 0, 0, 0, 0, 0, 0)); try { crypto.getRandomValues(u); } catch (e) { return u.join('') + e.name + e.message; } | 00000000TypeErrorFailed to execute 'getRandomValues' on 'Crypto': parameter 1 ('array'): The provided value must not be immutable",
        "crypto.getRandomValues(new Float32Array(immutable())); | TypeError Failed to execute 'getRandomValues' on 'Crypto': parameter 1 ('array'): The provided value must not be immutable",
        "crypto.getRandomValues(new DataView(immutable())); | TypeError Failed to execute 'getRandomValues' on 'Crypto': parameter 1 ('array'): The provided value must not be immutable",
        "const u = new Uint8Array(immutable(0, 0)); try { new TextEncoder().encodeInto('a', u); } catch (e) { return u.join('') + e.name + e.message; } | 00TypeErrorFailed to execute 'encodeInto' on 'TextEncoder': parameter 2 ('destination'): The provided value must not be immutable",
        "new TextEncoder().encodeInto('', new Uint8Array(immutable())); | TypeError Failed to execute 'encodeInto' on 'TextEncoder': parameter 2 ('destination'): The provided value must not be immutable",
        "return new TextDecoder().decode(immutable(104, 105)) + new TextDecoder().decode(new Uint8Array(immutable(104, 105), 1)); | hii",
        "return await new Blob([immutable(104, 105), new DataView(immutable(106))]).text(); | hij",
        "return await new Response(immutable(104, 105)).text(); | hi",
      })
  void immutable_buffer_can_be_read_but_not_transferred_or_written(String code, String expected) {
    assertEquals(expected, result("ArrayBuffer.prototype.transferToImmutable", code));
  }

  private static final String REFUSED = "DataCloneError Failed to execute 'structuredClone' on";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DisposableStack | new DisposableStack() | 'Window': #<DisposableStack> could not be cloned.",
        "AsyncDisposableStack | new AsyncDisposableStack() | 'Window': #<AsyncDisposableStack> could not be cloned.",
        "DisposableStack | Object.setPrototypeOf(new DisposableStack(), Object.prototype) | 'Window': #<Object> could not be cloned.",
        "Iterator.zip | Iterator.zip([[1], [2]]) | 'Window': [object Iterator Helper] could not be cloned.",
        "Iterator.concat | Iterator.concat([1], [2]) | 'Window': [object Iterator Helper] could not be cloned.",
        "Iterator.prototype.map | [1].values().map(x => x) | 'Window': [object Iterator Helper] could not be cloned.",
        "Iterator.from | Iterator.from({next() {}}) | 'Window': [object Object] could not be cloned.",
        "JSON.rawJSON | JSON.rawJSON('1') | 'Window': [object Object] could not be cloned.",
      })
  void object_with_other_slots_cannot_be_cloned(String needed, String value, String message) {
    String global = needed.matches("\\w+") ? "globalThis." + needed : needed;
    assertEquals(
        REFUSED + " " + message, result(global, "return structuredClone(" + value + ").x;"));
  }

  @Test
  void suppressed_error_is_cloned_as_an_error() {
    assertEquals(
        "Error,Error,m,true,false,false",
        result(
            "globalThis.SuppressedError",
            """
            const e = new SuppressedError(1, 2, 'm');
            const c = structuredClone(e);
            return [c.constructor.name, c.name, c.message, c.stack === e.stack, Object.hasOwn(c, 'error'),
              Object.hasOwn(c, 'suppressed')].join();
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ArrayBuffer.prototype.transferToImmutable; immutable(1, 255); ArrayBuffer { bytes: <01 ff>, byteLength: 2, immutable: true }",
        "ArrayBuffer.prototype.transferToImmutable; new Uint8Array(immutable(1, 255)); Uint8Array(2) [ 1, 255 ]",
        "globalThis.SuppressedError; Object.assign(new SuppressedError(1, 'x', 'm'), {stack: ''}); [SuppressedError: m] { [error]: 1, [suppressed]: 'x' }",
        "globalThis.DisposableStack; new DisposableStack(); DisposableStack {}",
        "globalThis.AsyncDisposableStack; new AsyncDisposableStack(); AsyncDisposableStack {}",
        "Iterator.zip; Iterator.zip([[1]]); Object [Iterator Helper] {}",
        "Iterator.concat; Iterator.concat([1]); Object [Iterator Helper] {}",
        "JSON.rawJSON; JSON.rawJSON('1'); [Object: null prototype] { rawJSON: '1' }",
      })
  void object_has_a_text_on_the_console(String needed, String value, String text) {
    assertEquals(text + "|", result(needed, "console.log(" + value + "); return '';"));
  }
}
