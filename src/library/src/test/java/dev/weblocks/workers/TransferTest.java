package dev.weblocks.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers and clones by {@code postMessage()} of a worker and of its global. */
class TransferTest {

  private static List<String> run(String worker, String window) {
    try (Scenario scenario = new Scenario(1)) {
      return scenario.resource("/worker.js", worker).window(window).run();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[b]", "{transfer: [b]}", "new Set([b])"})
  void buffer_moves_to_the_worker_and_back(String transfer) {
    assertEquals(
        List.of("0 true", "4 1,2,3,9 true"),
        run(
            """
            onmessage = ({data: {b, view}}) => {
              view[3] = 9;
              postMessage(b, %s);
              if (!b.detached || view.length !== 0) throw new Error('still here');
            };
            """
                .formatted(transfer),
            """
            const worker = new Worker('/worker.js');
            const b = new Uint8Array([1, 2, 3, 4]).buffer;
            worker.onmessage = ({data}) =>
              console.log(data.byteLength, new Uint8Array(data).join(), data instanceof ArrayBuffer);
            worker.postMessage({b, view: new Uint8Array(b)}, %s);
            console.log(b.byteLength, b.detached);
            """
                .formatted(transfer)));
  }

  @Test
  void resizable_buffers_and_length_tracking_views_are_cloned() {
    assertEquals(
        List.of("true 16 8 4 true 12 8 5"),
        run(
            """
            onmessage = ({data: [moved, copied]}) => {
              const log = [moved.buffer.resizable, moved.buffer.maxByteLength, moved.length, moved[3], copied.buffer.resizable];
              moved.buffer.resize(12);
              log.push(moved.length, copied.byteLength);
              copied.buffer.resize(9);
              log.push(copied.byteLength - 3);
              postMessage(log.join(' '));
            };
            """,
            """
            const worker = new Worker('/worker.js');
            worker.onmessage = ({data}) => console.log(data);
            const b = new ArrayBuffer(8, {maxByteLength: 16});
            const moved = new Uint8Array(b);
            moved[3] = 4;
            const copied = new DataView(new ArrayBuffer(9, {maxByteLength: 10}), 1, 8);
            worker.postMessage([moved, copied], [b]);
            """));
  }

  @Test
  void buffer_sent_without_transfer_is_copied() {
    assertEquals(
        List.of("5 1"),
        run(
            "onmessage = ({data}) => { data[0] = 5; postMessage(data); };",
            """
            const worker = new Worker('/worker.js');
            const a = new Uint8Array([1]);
            worker.onmessage = ({data}) => console.log(data[0], a[0]);
            worker.postMessage(a);
            """));
  }

  @Test
  void cloned_errors_keep_name_message_and_stack() {
    assertEquals(
        List.of("true TypeError m true", "true AbortError 20 m true"),
        run(
            "onmessage = ({data}) => postMessage(data);",
            """
            const worker = new Worker('/worker.js');
            const sent = [new TypeError('m'), new DOMException('m', 'AbortError')];
            worker.onmessage = ({data: [e, d]}) => {
              console.log(e instanceof TypeError, e.name, e.message, e.stack === sent[0].stack);
              console.log(d instanceof DOMException, d.name, d.code, d.message, d.stack === sent[1].stack);
            };
            worker.postMessage(sent);
            """));
  }

  @Test
  void data_clone_errors_name_the_operation() {
    assertEquals(
        List.of(
            "DataCloneError Failed to execute 'postMessage' on 'Worker': () => {} could not be cloned.",
            "DataCloneError Failed to execute 'postMessage' on 'Worker': ArrayBuffer at index 1 is a"
                + " duplicate of an earlier one.",
            "DataCloneError Failed to execute 'postMessage' on 'DedicatedWorkerGlobalScope':"
                + " Symbol(s) could not be cloned."),
        run(
            "try { postMessage(Symbol('s')); } catch (e) { postMessage(e.name + ' ' + e.message); }",
            """
            const worker = new Worker('/worker.js');
            worker.onmessage = ({data}) => console.log(data);
            const b = new ArrayBuffer(1);
            try { worker.postMessage(() => {}); } catch (e) { console.log(e.name, e.message); }
            try { worker.postMessage(1, [b, b]); } catch (e) { console.log(e.name, e.message); }
            """));
  }

  @Test
  void worker_and_its_global_scope_have_the_onmessageerror_attribute() {
    assertEquals(
        List.of("true null", "true null"),
        run(
            "postMessage(`${'onmessageerror' in self} ${onmessageerror}`);",
            """
            const worker = new Worker('/worker.js');
            worker.onmessage = ({data}) => console.log(data);
            console.log('onmessageerror' in Worker.prototype, worker.onmessageerror);
            """));
  }

  @Test
  void large_and_deep_messages_are_cloned() {
    int depth = TestSize.of(20_000, 100_000), wide = TestSize.of(5_000, 50_000);
    assertEquals(
        List.of("8000003 7 3000000 z " + depth + " 100000 99999 " + wide),
        run(
            "onmessage = ({data}) => postMessage(data);",
            """
            const worker = new Worker('/worker.js');
            worker.onmessage = ({data: {bytes, text, deep, list, wide}}) => {
              let depth = 0;
              for (let at = deep; at !== null; at = at.a) depth++;
              console.log(bytes.length, bytes[8000002], text.length, text[2999999], depth, list.length, list[99999],
                Object.keys(wide).length);
            };
            const bytes = new Uint8Array(8000003);
            bytes[8000002] = 7;
            let deep = null;
            for (let i = 0; i < %1$d; i++) deep = {a: deep};
            const wide = {};
            for (let i = 0; i < %2$d; i++) wide['k' + i] = 'v' + i;
            worker.postMessage({bytes, text: 'y'.repeat(2999999) + 'z', deep, wide,
              list: Array.from({length: 100000}, (_, i) => i)});
            """
                .formatted(depth, wide)));
  }
}
