package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SynchronousRequestPoolTest {

  private static final String GET =
      "function get(url, timeout) { const xhr = new XMLHttpRequest(); xhr.open('GET', url, false);"
          + " if (timeout) xhr.timeout = timeout; xhr.send(); return xhr.responseText }";

  @Test
  void windows_waiting_in_synchronous_requests_do_not_block_pool_threads() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resource("/x", "text").resource("/worker.js", GET + "postMessage(get('/x'))");
      pool.window(
          GET
              + "new Worker('/worker.js').onmessage = e => console.log('worker ' + e.data);"
              + "navigator.locks.request('a', () => console.log('lock ' + get('/x')))");
      List<String> said = List.of(pool.next(), pool.next()).stream().sorted().toList();
      assertEquals(List.of("lock text", "worker text"), said);
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void hanging_synchronous_request_of_a_worker_ends_at_timeout_or_with_window() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.resourceThatHangs("/x")
          .resourceThatHangs("/y") // another URL: an aborted request is a network error
          .resource(
              "/worker.js",
              GET
                  + "try { get('/x', 50) } catch (e) { console.log(e.name) }"
                  + "console.log('again'); try { get('/y') } catch (e) { console.log('caught') }");
      Window window = pool.window("new Worker('/worker.js')");
      pool.expect("TimeoutError");
      pool.expect("again");
      window.close();
      Pool.await(window.ended());
      assertEquals(List.of(), pool.rest());
      assertEquals(List.of(), pool.errors());
    }
  }
}
