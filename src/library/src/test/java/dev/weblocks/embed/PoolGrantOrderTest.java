package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of grants among windows that share one thread. */
class PoolGrantOrderTest {

  private static final String HOLDER =
      """
      const channel = new BroadcastChannel('go');
      navigator.locks.request('hand', () => new Promise(release => {
        channel.onmessage = release;
        console.log('ready');
      }));
      """;

  private static final String TAKER =
      """
      function again(round) {
        navigator.locks.request('hand', lock => {
          console.log('%s', round);
          if (round > 0) again(round - 1);
        });
      }
      again(50);
      console.log('ready');
      """;

  @Test
  void three_windows_on_one_thread_get_a_lock_in_turn() throws Exception {
    try (Pool pool = new Pool(1)) {
      pool.window(HOLDER);
      pool.expect("ready");
      for (String taker : List.of("first", "second", "third")) {
        pool.window(TAKER.formatted(taker));
        pool.expect("ready");
      }
      pool.window("new BroadcastChannel('go').postMessage(null);");
      List<String> expected = new ArrayList<>();
      List<String> granted = new ArrayList<>();
      for (int round = 50; round >= 0; round--) {
        for (String taker : List.of("first", "second", "third")) {
          expected.add(taker + " " + round);
          granted.add(pool.next());
        }
      }
      assertEquals(expected, granted);
    }
  }
}
