package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of shared workers on real threads, wherever their script is. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedWorkerEndTest {

  private static final String SPINS =
      """
      onconnect = () => navigator.locks.request('a', () => {
        console.log('spins');
        while (true) {}
      });
      """;

  @Test
  void spinning_worker_ends_with_its_last_page_and_releases_its_lock() throws Exception {
    try (Pool pool = new Pool(3)) {
      pool.resource("/w.js", SPINS);
      Window first = pool.window("new SharedWorker('/w.js'); console.log('first');");
      Set<String> lines = Set.of(pool.next(), pool.next());
      assertEquals(Set.of("first", "spins"), lines);
      Window second = pool.window("new SharedWorker('/w.js'); console.log('second');");
      pool.expect("second");
      pool.window(
          "navigator.locks.request('a', () => console.log('passed on')); console.log('waits');");
      pool.expect("waits");
      first.close();
      Pool.await(first.ended());
      assertTrue(pool.agents().contains("shared-worker-2"), pool.agents()::toString);
      second.close();
      pool.expect("passed on");
      assertEquals(List.of(), pool.errors());
    }
  }

  @Test
  void user_agent_closes_while_shared_and_nested_workers_spin() throws Exception {
    try (Pool pool = new Pool(4)) {
      pool.resource("/inner.js", "console.log('inner'); while (true) {}")
          .resource("/w.js", "new Worker('/inner.js'); setTimeout(() => { while (true) {} }, 0);")
          .resourceThatHangs("/never.js");
      pool.window("new SharedWorker('/w.js'); new SharedWorker('/never.js');");
      pool.expect("inner");
      pool.closeUserAgent();
      assertEquals(Set.of(), pool.agents());
      assertEquals(List.of(), pool.errors());
    }
  }
}
