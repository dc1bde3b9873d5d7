package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbortFetchTest {

  @Test
  void aborted_signal_prevents_the_request() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "fetch('/x', {signal: AbortSignal.abort('why')}).catch(e => console.log(e));");
      assertEquals(List.of("why"), scenario.run());
      assertEquals(1, scenario.requests().size());
    }
  }

  @Test
  void abort_ends_a_pending_fetch() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resourceThatHangs("/x")
          .window(
              """
              const controller = new AbortController();
              fetch('/x', {signal: controller.signal}).catch(e => console.log(e.name));
              setTimeout(() => { controller.abort(); console.log('after'); }, 10);
              """);
      assertEquals(List.of("after", "AbortError"), scenario.run());
      assertEquals(List.of(true), scenario.cancellations());
    }
  }

  @Test
  void signal_of_a_request_aborts_its_fetch() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resourceThatHangs("/x")
          .window(
              """
              const controller = new AbortController();
              fetch(new Request('/x', {signal: controller.signal})).catch(e => console.log(e));
              setTimeout(() => controller.abort('why'), 10);
              """);
      assertEquals(List.of("why"), scenario.run());
    }
  }

  @Test
  void abort_between_response_and_body_makes_reading_fail() {
    assertEquals(
        List.of("200", "false", "why", "why", "false"),
        Scenario.logOf(
            """
            const controller = new AbortController();
            (async () => {
              const response = await fetch('data:,text', {signal: controller.signal});
              console.log(response.status);
              controller.abort('why');
              console.log(response.bodyUsed);
              await response.text().catch(e => console.log(e));
              await response.text().catch(e => console.log(e));
              console.log(response.bodyUsed);
            })();
            """));
  }

  @Test
  void abort_while_the_body_is_read_makes_reading_fail() {
    assertEquals(
        List.of("why"),
        Scenario.logOf(
            """
            const controller = new AbortController();
            (async () => {
              const response = await fetch('data:,text', {signal: controller.signal});
              const reading = response.text();
              controller.abort('why');
              await reading.then(() => console.log('read'), e => console.log(e));
            })();
            """));
  }

  @Test
  void abort_after_the_body_was_read_has_no_effect() {
    assertEquals(
        List.of("text"),
        Scenario.logOf(
            """
            const controller = new AbortController();
            (async () => {
              const response = await fetch('data:,text', {signal: controller.signal});
              const text = await response.text();
              controller.abort('why');
              console.log(text);
            })();
            """));
  }

  @Test
  void fetch_ends_with_its_window() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.resourceThatHangs("/x").window("fetch('/x');");
      scenario.runFor(10).closeWindow(0).run();
      assertEquals(List.of(true), scenario.cancellations());
    }
  }

  @Test
  void synchronous_fetch_ends_with_its_worker() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resourceThatHangs("/x.js")
          .resource("/worker.js", "importScripts('/x.js');")
          .window(
              "const worker = new Worker('/worker.js'); setTimeout(() => worker.terminate(), 100);");
      scenario.run();
      assertEquals(List.of(true), scenario.cancellations());
    }
  }
}
