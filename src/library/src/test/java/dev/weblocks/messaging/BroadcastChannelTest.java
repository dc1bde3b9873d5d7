package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code BroadcastChannel} by the HTML Standard. */
class BroadcastChannelTest {

  private static final String SAY = "const say = x => console.log(String(x));";

  private static void assertLog(String expected, String script) {
    assertEquals(expected, String.join(" ", Scenario.logOf(SAY + script)));
  }

  @Test
  void message_reaches_all_other_channels_of_its_name_in_creation_order() {
    assertLog(
        "sent b1 d1 a2 b2 d2",
        """
        const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'), c = new BroadcastChannel('y'), d = new BroadcastChannel('x');
        d.onmessage = e => say('d' + e.data);
        c.onmessage = e => say('c' + e.data);
        b.onmessage = e => say('b' + e.data);
        a.onmessage = e => say('a' + e.data);
        a.postMessage(1);
        const late = new BroadcastChannel('x');
        late.onmessage = e => { if (e.data === 1) say('too early'); };
        late.onmessage = null;
        late.postMessage(2);
        say('sent');
        """);
  }

  @Test
  void an_event_has_the_origin_of_the_sender() {
    assertLog(
        "message https://one.test null 0 true false false",
        """
        new BroadcastChannel('x').onmessage = e => {
          say(e.type); say(e.origin); say(e.source); say(e.ports.length); say(e.isTrusted); say(e.bubbles); say(e.cancelable);
        };
        new BroadcastChannel('x').postMessage(1);
        """);
  }

  @Test
  void each_channel_gets_its_own_copy() {
    assertLog(
        "1 1 true",
        """
        const got = [];
        for (let i = 0; i < 2; i++) {
          new BroadcastChannel('x').onmessage = e => {
            say(e.data.b[0]); e.data.b[0] = 9; got.push(e.data);
            if (got.length === 2) say(got[0] !== got[1] && got[0].b.buffer !== got[1].b.buffer);
          };
        }
        new BroadcastChannel('x').postMessage({ b: new Uint8Array([1]) });
        """);
  }

  @Test
  void closed_channel_neither_receives_nor_sends() {
    assertLog(
        "InvalidStateError:_Failed_to_execute_'postMessage'_on_'BroadcastChannel':_Channel_is_closed InvalidStateError other",
        """
        const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'), other = new BroadcastChannel('x');
        b.onmessage = () => say('closed one');
        other.onmessage = e => say(e.data);
        a.postMessage('other');
        b.close();
        b.close();
        const attempt = v => { try { b.postMessage(v); } catch (e) { return e; } };
        const e = attempt(1);
        say(`${e.name}: ${e.message}`.replaceAll(' ', '_'));
        say(attempt(Symbol()).name);
        """);
  }

  @Test
  void channel_closed_by_an_earlier_listener_receives_nothing() {
    assertLog(
        "first",
        """
        const a = new BroadcastChannel('x'), b = new BroadcastChannel('x');
        a.onmessage = () => { say('first'); b.close(); };
        b.onmessage = () => say('second');
        new BroadcastChannel('x').postMessage(0);
        """);
  }

  @Test
  void listener_added_after_the_send_receives_the_message() {
    assertLog(
        "1",
        """
        const a = new BroadcastChannel('x'), b = new BroadcastChannel('x');
        a.postMessage(1);
        b.onmessage = e => say(e.data);
        """);
  }

  @Test
  void a_getter_that_closes_the_sender_does_not_stop_the_message() {
    assertLog(
        "1 InvalidStateError",
        """
        const a = new BroadcastChannel('x'), b = new BroadcastChannel('x');
        b.onmessage = e => { say(e.data.x); try { a.postMessage(0); } catch (e) { say(e.name); } };
        a.postMessage({ get x() { a.close(); return 1; } });
        """);
  }

  @Test
  void uncloneable_values_and_ports_are_refused() {
    assertLog(
        "DataCloneError DataCloneError boom",
        """
        const a = new BroadcastChannel('x');
        const name = f => { try { f(); } catch (e) { return e.name ?? e; } };
        say(name(() => a.postMessage(() => {})));
        say(name(() => a.postMessage(new MessageChannel().port1)));
        say(name(() => a.postMessage({ get x() { throw 'boom'; } })));
        """);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void channels_connect_agents_of_one_origin_only(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource(
          "/worker.js",
          SAY
              + """
              const bc = new BroadcastChannel('x');
              bc.onmessage = e => { if (e.data === 'hello') { bc.postMessage('from worker'); close(); } };
              bc.postMessage('ready');
              """);
      scenario.windowAt(
          "https://two.test",
          "new BroadcastChannel('x').onmessage = e => console.log('other origin ' + e.data);");
      scenario.window(
          SAY
              + """
              const bc = new BroadcastChannel('x');
              bc.onmessage = e => { say(e.data); if (e.data === 'ready') bc.postMessage('hello'); };
              new Worker('/worker.js');
              """);
      assertEquals(List.of("ready", "from worker"), scenario.run());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void messages_of_one_sender_keep_their_order_everywhere(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource(
          "/worker.js",
          """
          let next = 0;
          const bc = new BroadcastChannel('x');
          bc.onmessage = e => { if (e.data === next++) { if (next === 50) postMessage('all'); } else postMessage('order'); };
          postMessage('ready');
          """);
      scenario.window(
          SAY
              + """
              let ready = 0;
              for (let i = 0; i < 3; i++) {
                new Worker('/worker.js').onmessage = e => {
                  if (e.data !== 'ready') say(e.data);
                  else if (++ready === 3) {
                    const bc = new BroadcastChannel('x');
                    for (let n = 0; n < 50; n++) bc.postMessage(n);
                  }
                };
              }
              """);
      assertEquals(List.of("all", "all", "all"), scenario.run());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void a_worker_that_is_closing_sends_nothing(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource(
          "/worker.js",
          """
          const bc = new BroadcastChannel('x');
          close();
          bc.postMessage('bad');
          new BroadcastChannel('x').postMessage('bad');
          bc.close();
          bc.postMessage('no exception either');
          postMessage('done');
          """);
      scenario.window(
          SAY
              + """
              new BroadcastChannel('x').onmessage = e => say(e.data);
              new Worker('/worker.js').onmessage = e => say(e.data);
              """);
      assertEquals(List.of("done"), scenario.run());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void closed_window_receives_no_messages(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.window("new BroadcastChannel('x').onmessage = () => console.log('heard');");
      scenario.window(
          "const bc = new BroadcastChannel('x'); setTimeout(() => bc.postMessage(1), 100);");
      scenario.runFor(50);
      scenario.closeWindow(0);
      assertEquals(List.of(), scenario.run());
    }
  }
}
