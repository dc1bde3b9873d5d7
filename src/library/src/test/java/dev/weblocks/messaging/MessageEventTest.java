package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code MessageEvent} by the HTML Standard. */
class MessageEventTest {

  private static void assertLog(String expected, String script) {
    assertEquals(
        List.of(expected),
        Scenario.logOf(
            "const out = []; const say = x => out.push(String(x));"
                + script
                + ";console.log(out.join(' '))"));
  }

  @Test
  void message_event_members_have_their_default_values() {
    assertLog(
        "null || false false",
        "const e = new MessageEvent('message'); say(e.data); say(e.origin + '|' + e.lastEventId + '|'); say(e.bubbles); say(e.cancelable)");
  }

  @Test
  void data_may_be_any_value_and_origin_becomes_a_usv_string() {
    assertLog(
        "true \ufffd true",
        "const o = {}; const e = new MessageEvent('message', { data: o, origin: '\\ud800', lastEventId: '\\ud800' });"
            + "say(e.data === o); say(e.origin); say(e.lastEventId === '\\ud800')");
  }

  @Test
  void init_message_event_sets_all_members_or_defaults_for_missing_arguments() {
    assertLog(
        "x true false 1 o i y false null || 1",
        """
        const e = new MessageEvent('message', { data: 0 });
        e.initMessageEvent('x', true, false, 1, 'o', 'i');
        say(e.type); say(e.bubbles); say(e.cancelable); say(e.data); say(e.origin); say(e.lastEventId);
        e.initMessageEvent('y');
        say(e.type); say(e.bubbles); say(e.data); say(e.origin + '|' + e.lastEventId + '|');
        say(e.initMessageEvent.length);
        """);
  }

  @Test
  void init_message_event_does_nothing_during_dispatch() {
    assertLog(
        "message 5",
        """
        const e = new MessageEvent('message', { data: 5 });
        onmessage = () => e.initMessageEvent('x', true, true, 6);
        dispatchEvent(e);
        say(e.type); say(e.data);
        """);
  }

  @Test
  void source_is_a_window_or_a_port_or_null() {
    assertLog(
        "true true true TypeError TypeError TypeError",
        """
        const { port1 } = new MessageChannel();
        say(new MessageEvent('x', { source: globalThis }).source === globalThis);
        say(new MessageEvent('x', { source: port1 }).source === port1);
        say(new MessageEvent('x', { source: null }).source === null);
        for (const source of [{}, new EventTarget(), 1]) {
          try { new MessageEvent('x', { source }); } catch (e) { say(e.name); }
        }
        """);
  }

  @Test
  void ports_is_always_the_same_frozen_array() {
    assertLog(
        "true true true true TypeError",
        """
        const { port1, port2 } = new MessageChannel();
        const given = [port2, port1];
        const e = new MessageEvent('x', { ports: given });
        say(e.ports === e.ports); say(Object.isFrozen(e.ports)); say(e.ports !== given);
        given.pop();
        say(e.ports.length === 2 && e.ports[0] === port2 && e.ports[1] === port1);
        try { new MessageEvent('x', { ports: [{}] }); } catch (e) { say(e.name); }
        """);
  }

  @Test
  void init_message_event_sets_source_and_ports() {
    assertLog(
        "true true 1 false null 0",
        """
        const { port1 } = new MessageChannel();
        const e = new MessageEvent('x');
        const before = e.ports;
        e.initMessageEvent('y', false, false, 0, '', '', port1, [port1]);
        say(e.source === port1); say(e.ports[0] === port1); say(e.ports.length); say(e.ports === before);
        e.initMessageEvent('z');
        say(e.source); say(e.ports.length);
        """);
  }
}
