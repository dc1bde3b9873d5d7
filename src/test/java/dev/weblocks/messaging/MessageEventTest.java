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
  void members_have_their_defaults() {
    assertLog(
        "null || false false",
        "const e = new MessageEvent('message'); say(e.data); say(e.origin + '|' + e.lastEventId + '|'); say(e.bubbles); say(e.cancelable)");
  }

  @Test
  void data_is_any_value_and_strings_are_of_their_types() {
    assertLog(
        "true \ufffd true",
        "const o = {}; const e = new MessageEvent('message', { data: o, origin: '\\ud800', lastEventId: '\\ud800' });"
            + "say(e.data === o); say(e.origin); say(e.lastEventId === '\\ud800')");
  }

  @Test
  void init_message_event_sets_all_and_takes_missing_arguments_for_defaults() {
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
}
