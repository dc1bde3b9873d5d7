package dev.weblocks.xhr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SynchronousRequestTest {

  private static final String GET =
      """
      function get(url, before = x => x) {
        const xhr = new XMLHttpRequest();
        xhr.open('GET', url, false);
        before(xhr);
        xhr.send();
        return xhr;
      }
      """;

  @Test
  void request_returns_with_its_response() {
    try (Scenario scenario = new Scenario(1).resource("/x", "text")) {
      assertEquals(
          List.of("1", "4", "load", "loadend", "200 text 404"),
          scenario
              .window(
                  GET
                      + "const xhr = new XMLHttpRequest();"
                      + "xhr.onreadystatechange = () => console.log(String(xhr.readyState));"
                      + "for (const type of ['loadstart', 'progress', 'load', 'loadend'])"
                      + " xhr['on' + type] = e => console.log(e.type);"
                      + "xhr.open('GET', '/x', false); xhr.send();"
                      + "console.log(xhr.status, xhr.responseText, get('/none').status)")
              .run());
    }
  }

  @Test
  void network_error_is_thrown() {
    try (Scenario scenario = new Scenario(1).resourceAt("https://two.test/x", "not for us")) {
      assertEquals(
          List.of(
              "NetworkError: Failed to execute 'send' on 'XMLHttpRequest': Failed to load"
                  + " 'https://two.test/x'."),
          scenario
              .window(
                  GET
                      + "try { get('https://two.test/x') } catch (e) { console.log(e.name + ': ' + e.message) }")
              .run());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void no_other_task_of_the_agent_runs_during_the_request(long seed) {
    try (Scenario scenario = new Scenario(seed).resource("/x", "text")) {
      assertEquals(
          List.of("before", "text", "after", "microtask", "timer"),
          scenario
              .window(
                  GET
                      + "setTimeout(() => console.log('timer'));"
                      + "Promise.resolve().then(() => console.log('microtask'));"
                      + "console.log('before'); console.log(get('/x').responseText); console.log('after')")
              .run());
    }
  }

  @Test
  void request_waits_inside_a_lock_callback_and_the_lock_stays_held() {
    try (Scenario scenario = new Scenario(1).resource("/x", "text")) {
      assertEquals(
          List.of("held", "text", "next"),
          scenario
              .window(
                  GET
                      + "navigator.locks.request('a', () => { console.log('held');"
                      + " navigator.locks.request('a', () => console.log('next'));"
                      + " console.log(get('/x').responseText) })")
              .run());
    }
  }

  @Test
  void request_waits_inside_a_promise_job_and_in_a_worker() {
    try (Scenario scenario =
        new Scenario(1)
            .resource("/x", "text")
            .resource(
                "/worker.js",
                GET
                    + "Promise.resolve().then(() => console.log('worker ' + get('/x',"
                    + " x => x.responseType = 'arraybuffer').response.byteLength))")) {
      assertEquals(
          List.of("window text", "worker 4"),
          scenario
              .window(
                  GET
                      + "Promise.resolve().then(() => { console.log('window ' + get('/x').responseText);"
                      + "new Worker('/worker.js') })")
              .run());
    }
  }

  @Test
  void timeout_error_is_thrown_in_a_worker_when_the_timeout_expires() {
    try (Scenario scenario =
        new Scenario(1)
            .resourceThatHangs("/x")
            .resource(
                "/worker.js",
                GET
                    + "const start = performance.now();"
                    + "try { get('/x', x => x.timeout = 500) } catch (e) {"
                    + " console.log(e.name, Math.round((performance.now() - start) / 100)) }"
                    + "console.log(get('/y', x => x.timeout = 500).responseText)")
            .resource("/y", "in time")) {
      assertEquals(
          List.of("TimeoutError 5", "in time"), scenario.window("new Worker('/worker.js')").run());
      assertEquals(List.of(true), scenario.cancellations());
    }
  }

  @Test
  void agent_ended_during_the_request_runs_no_more_script() {
    try (Scenario scenario =
        new Scenario(1)
            .resourceThatHangs("/x")
            .resource(
                "/worker.js",
                GET
                    + "postMessage(0); try { get('/x') } catch (e) { console.log('caught') } finally"
                    + " { console.log('finally') } console.log('after')")) {
      assertEquals(
          List.of("terminated", "lock"),
          scenario
              .window(
                  "const w = new Worker('/worker.js'); w.onmessage = () => setTimeout(() => {"
                      + " w.terminate(); console.log('terminated');"
                      + " navigator.locks.request('a', () => console.log('lock')) }, 10)")
              .run());
      assertEquals(List.of(true), scenario.cancellations());
    }
  }
}
