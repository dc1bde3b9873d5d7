package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code MessageChannel} and {@code MessagePort} by the HTML Standard, in one agent and between.
 */
class MessagePortTest {

  private static final String SAY = "const say = x => console.log(String(x));";

  private static void assertLog(String expected, String script) {
    assertEquals(expected, String.join(" ", Scenario.logOf(SAY + script)));
  }

  /** Runs a window that has {@code worker}, and the worker; both have {@code say()}. */
  private static String logOf(long seed, String window, String worker) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource("/worker.js", SAY + worker);
      scenario.window(SAY + "const worker = new Worker('/worker.js');" + window);
      return String.join(" ", scenario.run());
    }
  }

  @Test
  void message_arrives_at_the_other_port_in_a_task() {
    assertLog(
        "after 1 true  null 0 true",
        """
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = e => {
          say(e.data); say(e.target === port2); say(e.origin); say(e.source); say(e.ports.length); say(e.isTrusted);
        };
        port1.postMessage(1);
        say('after');
        """);
  }

  @Test
  void message_channel_returns_the_same_two_ports_each_time() {
    assertLog(
        "true true true true",
        """
        const c = new MessageChannel();
        say(c.port1 === c.port1); say(c.port2 === c.port2); say(c.port1 !== c.port2);
        say(c.port1 instanceof MessagePort && c.port1 instanceof EventTarget);
        """);
  }

  @Test
  void ports_cannot_be_constructed() {
    assertLog("TypeError", "try { new MessagePort() } catch (e) { say(e.name) }");
  }

  @Test
  void messages_wait_until_the_port_is_started() {
    assertLog(
        "later 1 2 3",
        """
        const { port1, port2 } = new MessageChannel();
        port2.addEventListener('message', e => say(e.data));
        port1.postMessage(1);
        port1.postMessage(2);
        setTimeout(() => { say('later'); port2.start(); port2.start(); port1.postMessage(3); }, 10);
        """);
  }

  @Test
  void onmessage_starts_a_port_even_when_set_to_null() {
    assertLog(
        "later 2",
        """
        const { port1, port2 } = new MessageChannel();
        port1.postMessage(1);
        port2.onmessage = null;
        setTimeout(() => {
          say('later');
          port2.addEventListener('message', e => say(e.data));
          port1.postMessage(2);
        }, 10);
        """);
  }

  @Test
  void ports_of_one_agent_keep_the_order_of_all_their_messages() {
    assertLog(
        "a1 b1 a2 b2",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        a.port2.onmessage = e => say('a' + e.data);
        b.port2.onmessage = e => say('b' + e.data);
        a.port1.postMessage(1); b.port1.postMessage(1); a.port1.postMessage(2); b.port1.postMessage(2);
        """);
  }

  @Test
  void microtasks_run_between_the_listeners_of_a_message() {
    assertLog(
        "one micro two",
        """
        const { port1, port2 } = new MessageChannel();
        port2.addEventListener('message', () => { say('one'); queueMicrotask(() => say('micro')); });
        port2.addEventListener('message', () => say('two'));
        port2.start();
        port1.postMessage(1);
        """);
  }

  @Test
  void transferred_port_keeps_its_messages_in_order() {
    assertLog(
        "true 1 2 3",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        const old = a.port1;
        old.onmessage = () => say('at the old one');
        b.port2.onmessage = e => {
          say(e.ports[0] !== old && e.ports[0] instanceof MessagePort);
          e.ports[0].onmessage = e => say(e.data);
          a.port2.postMessage(3);
        };
        a.port2.postMessage(1);
        b.port1.postMessage(0, [old]);
        a.port2.postMessage(2);
        """);
  }

  @Test
  void original_port_object_does_nothing_after_its_transfer() {
    assertLog(
        "DataCloneError DataCloneError undefined 1",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        b.port1.postMessage(0, [a.port1]);
        const name = f => { try { return f(); } catch (e) { return e.name; } };
        say(name(() => b.port1.postMessage(0, [a.port1])));
        say(name(() => structuredClone(a.port1, { transfer: [a.port1] })));
        say(name(() => a.port1.postMessage('lost')));
        a.port1.start();
        a.port1.close();
        a.port2.onmessage = e => say(e.data);
        a.port2.onclose = () => say('closed');
        b.port2.onmessage = e => e.ports[0].postMessage(1);
        """);
  }

  @Test
  void port_missing_from_the_transfer_list_is_refused() {
    assertLog(
        "DataCloneError:_Failed_to_execute_'postMessage'_on_'MessagePort':_#<MessagePort>_could_not_be_cloned.",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        try { b.port1.postMessage(a.port1); } catch (e) { say(`${e.name}: ${e.message}`.replaceAll(' ', '_')); }
        """);
  }

  @Test
  void port_cannot_be_sent_through_itself() {
    assertLog(
        "DataCloneError:_Failed_to_execute_'postMessage'_on_'MessagePort':_Port_at_index_1_is_the_source_port. DataCloneError 0 1",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        try { a.port1.postMessage(0, [b.port1, a.port1]); } catch (e) { say(`${e.name}: ${e.message}`.replaceAll(' ', '_')); }
        try { a.port1.postMessage(0, { transfer: [a.port1] }); } catch (e) { say(e.name); }
        // nothing moved
        a.port2.onmessage = e => say(e.data);
        b.port2.onmessage = e => say(e.data);
        a.port1.postMessage(0); b.port1.postMessage(1);
        """);
  }

  @Test
  void port_sent_through_its_partner_is_closed() {
    assertLog(
        "closed DataCloneError",
        """
        const { port1, port2 } = new MessageChannel();
        port1.onclose = () => {
          say('closed');
          try { structuredClone(port2, { transfer: [port2] }); } catch (e) { say(e.name); }
        };
        port1.postMessage('doomed', [port2]);
        port1.postMessage('lost');
        """);
  }

  @Test
  void transfer_list_with_one_port_twice_is_refused() {
    assertLog(
        "DataCloneError alive",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        try { b.port1.postMessage(0, [a.port1, a.port1]); } catch (e) { say(e.name); }
        a.port2.onmessage = e => say(e.data);
        a.port1.postMessage('alive');
        """);
  }

  @Test
  void received_ports_have_the_order_of_the_transfer_list() {
    assertLog(
        "2 true true true true",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        a.port2.onmessage = e => {
          say(e.ports.length);
          say(e.ports[0] === e.data.two); say(e.ports[1] === e.data.one);
          say(e.ports === e.ports); say(Object.isFrozen(e.ports));
        };
        const buffer = new ArrayBuffer(8);
        a.port1.postMessage({ one: b.port1, two: b.port2 }, [b.port2, buffer, b.port1]);
        """);
  }

  @Test
  void structured_clone_moves_a_port_within_a_realm() {
    assertLog(
        "true hello",
        """
        const { port1, port2 } = new MessageChannel();
        const moved = structuredClone({ p: port1 }, { transfer: [port1] }).p;
        say(moved !== port1);
        moved.onmessage = e => say(e.data);
        port2.postMessage('hello');
        """);
  }

  @Test
  void close_detaches_both_ports_and_the_close_event_follows_pending_messages() {
    assertLog(
        "1 close|false|false|true|true",
        """
        const { port1, port2 } = new MessageChannel();
        port1.onclose = () => say('not here');
        port2.onmessage = e => say(e.data);
        port2.onclose = e => say([e.type, e.bubbles, e.cancelable, e.isTrusted, e.target === port2].join('|'));
        port1.postMessage(1);
        port1.close();
        port1.postMessage('lost');
        port2.postMessage('lost');
        port1.onmessage = e => say(e.data);
        """);
  }

  @Test
  void closed_port_still_receives_messages_that_arrived_before_the_close() {
    assertLog(
        "1 2",
        """
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = e => { say(e.data); port2.close(); };
        port1.postMessage(1);
        port1.postMessage(2);
        """);
  }

  @Test
  void close_event_reaches_ports_that_were_not_started() {
    assertLog(
        "closed 1",
        """
        const { port1, port2 } = new MessageChannel();
        port2.addEventListener('message', e => say(e.data));
        port2.onclose = () => { say('closed'); port2.start(); };
        port1.postMessage(1);
        port1.close();
        """);
  }

  @Test
  void a_closed_port_cannot_be_transferred_but_its_partner_can() {
    assertLog(
        "DataCloneError true",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        a.port1.close();
        try { b.port1.postMessage(0, [a.port1]); } catch (e) { say(e.name); }
        b.port2.onmessage = e => say(e.ports[0] instanceof MessagePort);
        b.port1.postMessage(0, [a.port2]);
        """);
  }

  @Test
  void port_in_an_undelivered_message_is_closed() {
    assertLog(
        "unentangled at-the-end",
        """
        const a = new MessageChannel(), b = new MessageChannel(), c = new MessageChannel();
        a.port1.close();
        a.port1.postMessage(0, [b.port1]);
        b.port2.onclose = () => { say('unentangled'); };
        const w = new Worker('/missing.js');
        c.port2.onclose = () => say('at-the-end');
        setTimeout(() => {
          const d = new MessageChannel();
          d.port1.postMessage(0, [c.port1]);
          d.port1.postMessage(0, [d.port2]);
        }, 10);
        """);
  }

  @Test
  void nested_ports_in_lost_messages_are_closed_without_recursion() {
    assertLog(
        "closed",
        """
        const first = new MessageChannel();
        first.port2.onclose = () => say('closed');
        let inner = first.port1;
        for (let i = 0; i < %d; i++) {
          const { port1, port2 } = new MessageChannel();
          port1.postMessage(0, [inner]);
          inner = port2;
        }
        const last = new MessageChannel();
        last.port1.close();
        last.port1.postMessage(0, [inner]);
        """
            .formatted(TestSize.of(5_000, 20_000)));
  }

  @Test
  void transfer_that_fails_midway_throws_and_closes_moved_ports() {
    assertLog(
        "DataCloneError:_Failed_to_execute_'postMessage'_on_'MessagePort':_ArrayBuffer_at_index_1_is_already_detached. closed",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        const gone = new ArrayBuffer(8);
        gone.transfer();
        b.port2.onclose = () => say('closed');
        try { a.port1.postMessage(0, [b.port1, gone]); } catch (e) { say(`${e.name}: ${e.message}`.replaceAll(' ', '_')); }
        """);
  }

  @Test
  void a_getter_that_closes_the_source_does_not_stop_the_message() {
    assertLog(
        "1 closed",
        """
        const { port1, port2 } = new MessageChannel();
        port2.onmessage = e => say(e.data.a);
        port2.onclose = () => say('closed');
        port1.postMessage({ get a() { port1.close(); return 1; } });
        """);
  }

  @Test
  void getter_that_transfers_the_target_does_not_lose_the_message() {
    assertLog(
        "1",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        b.port2.onmessage = e => { e.ports[0].onmessage = e => say(e.data.a); };
        a.port1.postMessage({ get a() { b.port1.postMessage(0, [a.port2]); return 1; } });
        """);
  }

  @Test
  void getter_that_transfers_a_listed_port_makes_the_transfer_fail() {
    assertLog(
        "DataCloneError Failed_to_execute_'postMessage'_on_'MessagePort':_The_port_is_closed_or_was_transferred_before.",
        """
        const a = new MessageChannel(), b = new MessageChannel(), c = new MessageChannel();
        try {
          a.port1.postMessage({ get x() { b.port1.postMessage(0, [c.port1]); } }, [c.port1]);
        } catch (e) {
          say(e.name); say(e.message.replaceAll(' ', '_'));
        }
        """);
  }

  @Test
  void undeserializable_message_fires_messageerror() {
    assertLog(
        "messageerror null 0 true closed next",
        """
        const a = new MessageChannel(), b = new MessageChannel();
        const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
        const view = new Uint8Array(buffer, 0, 8);
        a.port2.onmessage = e => say(e.data);
        a.port2.onmessageerror = e => { say(e.type); say(e.data); say(e.ports.length); say(e.isTrusted); };
        b.port2.onclose = () => say('closed');
        // the view is written while it fits, the buffer moves when it does not any more
        a.port1.postMessage({ view, get x() { buffer.resize(2); } }, [buffer, b.port1]);
        setTimeout(() => a.port1.postMessage('next'), 1);
        """);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void ports_connect_agents(long seed) {
    assertEquals(
        "ping1 pong1 ping2 pong2 ping3 pong3",
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            worker.postMessage('take', [port2]);
            let n = 0;
            port1.onmessage = e => { say(e.data); if (n++ < 2) port1.postMessage('ping' + (n + 1)); };
            port1.postMessage('ping1');
            """,
            """
            onmessage = e => {
              const [port] = e.ports;
              port.onmessage = e => { say(e.data); port.postMessage('pong' + e.data.at(-1)); };
            };
            """));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void messages_keep_their_order_while_the_port_moves(long seed) {
    String expected = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19";
    assertEquals(
        expected,
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            let n = 0;
            const send = () => { port1.postMessage(n++); port1.postMessage(n++); if (n < 20) setTimeout(send, 0); };
            send();
            worker.postMessage([3], [port2]);
            worker.onmessage = e => take(e, worker);
            function take(e, other) {
              const [port] = e.ports, [left] = e.data;
              let taken = 0;
              port.onmessage = e => {
                say(e.data);
                if (++taken === left) other.postMessage([left + 1], [port]);
              };
            }
            """,
            """
            onmessage = e => {
              const [port] = e.ports, [left] = e.data;
              let taken = 0;
              port.onmessage = e => {
                say(e.data);
                if (++taken === left) postMessage([left + 1], [port]);
              };
            };
            """));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void both_ends_can_move_at_once(long seed) {
    assertEquals(
        List.of("a1", "a2", "a3", "b1", "b2"),
        List.of(
                logOf(
                        seed,
                        """
                        const { port1, port2 } = new MessageChannel();
                        port1.postMessage(1);
                        port2.postMessage(1);
                        const other = new Worker('/worker.js');
                        worker.postMessage('a', [port2]);
                        other.postMessage('b', [port1]);
                        """,
                        """
                        onmessage = e => {
                          const name = e.data, [port] = e.ports;
                          port.postMessage(2);
                          if (name === 'b') port.postMessage(3);
                          port.onmessage = e => say(name + e.data);
                        };
                        """)
                    .split(" "))
            .stream()
            .sorted()
            .toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void the_end_of_an_agent_closes_its_ports(long seed) {
    assertEquals(
        "ready closed",
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = e => { say(e.data); worker.terminate(); port1.postMessage('lost'); };
            port1.onclose = () => say('closed');
            worker.postMessage(0, [port2]);
            """,
            "onmessage = e => e.ports[0].postMessage('ready')"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void end_of_an_agent_closes_ports_in_its_unread_messages(long seed) {
    assertEquals(
        "ready closed inner",
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            const inner = new MessageChannel();
            inner.port1.onclose = () => say('inner');
            port1.onmessage = e => {
              say(e.data);
              port1.postMessage('lies there', [inner.port2]);
              worker.terminate();
            };
            port1.onclose = () => say('closed');
            worker.postMessage(0, [port2]);
            """,
            "onmessage = e => e.ports[0].postMessage('ready')"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void messages_of_a_closing_worker_arrive_before_its_ports_close(long seed) {
    assertEquals(
        "before after closed",
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = e => say(e.data);
            port1.onclose = () => say('closed');
            worker.postMessage(0, [port2]);
            """,
            """
            onmessage = e => {
              const [port] = e.ports;
              port.postMessage('before');
              close();
              port.postMessage('after');
              const own = new MessageChannel();
              own.port1.onmessage = () => say('never');
              own.port2.postMessage(0);
            };
            """));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void port_closed_during_its_transfer_fires_close_on_arrival(long seed) {
    assertEquals(
        "1 closed",
        logOf(
            seed,
            """
            const { port1, port2 } = new MessageChannel();
            port1.postMessage(1);
            worker.postMessage(0, [port2]);
            port1.close();
            """,
            """
            onmessage = e => {
              const [port] = e.ports;
              port.onclose = () => say('closed');
              port.onmessage = e => say(e.data);
            };
            """));
  }

  @Test
  void port_cannot_be_sent_through_a_broadcast_channel() {
    assertLog(
        "DataCloneError",
        """
        const { port1 } = new MessageChannel();
        try { new BroadcastChannel('x').postMessage(port1); } catch (e) { say(e.name); }
        """);
  }

  @Test
  void page_that_replaces_builtins_does_not_break_messaging() {
    assertLog(
        "1 true ok",
        """
        const { port1, port2 } = new MessageChannel();
        const { port1: moved } = new MessageChannel();
        const { defineProperty, ownKeys } = Reflect, all = [];
        for (const proto of [Array.prototype, Object.prototype, Map.prototype, ArrayBuffer.prototype, MessagePort.prototype, EventTarget.prototype]) {
          for (const key of ownKeys(proto)) {
            if (key !== 'constructor' && key !== '__proto__' && key !== 'postMessage' && key !== 'onmessage' && key !== Symbol.iterator) {
              all.push([proto, key]);
            }
          }
        }
        const descriptor = { __proto__: null, configurable: true, get() { throw 'page code ran'; } };
        for (let i = 0; i < all.length; i++) {
          try { defineProperty(all[i][0], all[i][1], descriptor); } catch { /* length of arrays */ }
        }
        port2.onmessage = e => { console.log('' + e.data); console.log('' + (e.ports[0] instanceof MessagePort)); console.log('ok'); };
        port1.postMessage(1, [moved]);
        """);
  }

  @Test
  void many_messages_to_an_unstarted_port_keep_their_order() {
    assertEquals(
        List.of("all"),
        Scenario.logOf(
            """
            const { port1, port2 } = new MessageChannel();
            for (let i = 0; i < 3000; i++) port1.postMessage(i);
            let expected = 0;
            port2.onmessage = e => {
              if (e.data !== expected++) console.log('out of order at ' + e.data);
              if (expected === 3000) console.log('all');
            };
            """));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void ports_of_an_ending_agent_are_closed_in_order_of_arrival(long seed) {
    assertEquals(
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
        logOf(
            seed,
            """
            const ports = [];
            for (let i = 0; i < 20; i++) {
              const { port1, port2 } = new MessageChannel();
              port1.onclose = () => say(i);
              ports.push(port2);
            }
            worker.postMessage(0, ports);
            worker.onmessage = () => worker.terminate();
            """,
            "onmessage = e => postMessage('have them')"));
  }
}
