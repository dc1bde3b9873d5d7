package dev.weblocks.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import org.junit.jupiter.api.Test;

/** {@code MessageChannel} and {@code MessagePort} by the HTML Standard. */
class MessagePortTest {

  private static void assertLog(String expected, String script) {
    assertEquals(
        expected,
        String.join(" ", Scenario.logOf("const say = x => console.log(String(x));" + script)));
  }

  @Test
  void a_message_comes_in_a_task_to_the_other_port() {
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
}
