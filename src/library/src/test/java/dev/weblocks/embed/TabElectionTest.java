package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.NpmPackage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An unchanged browser library: {@code tab-election} elects a leader among workers of three windows
 * with locks and a BroadcastChannel.
 */
class TabElectionTest {

  private static final NpmPackage PACKAGE = new NpmPackage("tab-election");
  private static final String SHA_256 =
      "366d8cf8953244fdee5205c7d47c0a7a6db817e18be38f16b8062d6def5b5d62";
  private static final String MODULE_PATH = "/node_modules/tab-election/dist/tab.js";

  private static final String WORKER =
      """
      import {Tab} from '%s';

      const tab = new Tab('app');
      const commands = new BroadcastChannel('commands');
      commands.onmessage = ({data: {to, command}}) => {
        if (to !== name) return;
        switch (command) {
          case 'close':
            tab.close();
            break;
          case 'ask':
            tab.call('who').then(answer => console.log(`${name} asked ${answer}`));
            break;
          case 'spin':
            console.log(`${name} spins`);
            while (true);
        }
      };
      tab.waitForLeadership(() => {
        console.log(`${name} leads`);
        return {who: () => name};
      });
      """
          .formatted(MODULE_PATH);

  private String library;

  @BeforeEach
  void fetchTheLibrary() throws Exception {
    library = PACKAGE.read("dist/tab.js");
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(library.getBytes(StandardCharsets.UTF_8));
    assertEquals(SHA_256, HexFormat.of().formatHex(digest), "not the file that is meant");
  }

  private static String windowScript(int number) {
    return "new Worker('/worker.js', {type: 'module', name: 'worker " + number + "'})";
  }

  private static String commandScript(String to, String command) {
    return "new BroadcastChannel('commands').postMessage({to: '%s', command: '%s'})"
        .formatted(to, command);
  }

  private static List<String> others(String... excluded) {
    List<String> names = new ArrayList<>(List.of("worker 0", "worker 1", "worker 2"));
    names.removeAll(List.of(excluded));
    return names;
  }

  /** Returns the worker that logged that it leads. */
  private static String leaderIn(List<String> log) {
    assertEquals(1, log.size(), () -> "one new leader in " + log);
    assertTrue(log.getFirst().endsWith(" leads"), () -> "one new leader in " + log);
    return log.getFirst().replace(" leads", "");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void library_elects_a_new_leader_after_close_and_after_kill(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario.resource(MODULE_PATH, library).resource("/worker.js", WORKER);
      for (int i = 0; i < 3; i++) {
        scenario.window(windowScript(i));
      }
      String first = leaderIn(scenario.run());
      int seen = scenario.log().size();

      String asking = others(first).getFirst();
      List<String> log = scenario.window(commandScript(asking, "ask")).run();
      assertEquals(List.of(asking + " asked " + first), log.subList(seen, log.size()));
      seen = log.size();

      log = scenario.window(commandScript(first, "close")).run();
      String second = leaderIn(log.subList(seen, log.size()));
      assertNotEquals(first, second);
      seen = log.size();

      log = scenario.closeWindow(numberOf(second)).run();
      String third = leaderIn(log.subList(seen, log.size()));
      assertEquals(others(first, second), List.of(third));
    }
  }

  @Test
  void library_elects_a_new_leader_after_a_spinning_leader_was_killed() throws Exception {
    try (Pool pool = new Pool(4)) {
      pool.resource(MODULE_PATH, library).resource("/worker.js", WORKER);
      List<Window> windows = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        windows.add(pool.window(windowScript(i)));
      }
      String first = leaderIn(List.of(pool.next()));
      pool.window(commandScript(first, "spin"));
      pool.expect(first + " spins");

      windows.get(numberOf(first)).close();
      String second = leaderIn(List.of(pool.next()));
      assertNotEquals(first, second);
      assertEquals(List.of(), pool.errors());
    }
  }

  private static int numberOf(String worker) {
    return Integer.parseInt(worker.substring("worker ".length()));
  }
}
