package dev.weblocks.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.Scenario;
import dev.weblocks.testing.TestSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The recipients of storage events. */
class StorageEventsTest {

  private static final String LISTEN =
      """
      onstorage = e => console.log([e.key, e.oldValue, e.newValue, e.url,
          e.storageArea === localStorage, e.isTrusted, e.bubbles, e.cancelable, e.target === self].join(' '));
      """;

  @Test
  void other_windows_of_the_origin_receive_each_change_in_order() {
    for (int seed = 0; seed < TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario.window(LISTEN).run();
        String url = "https://one.test/window-1.html true true false false true";
        List<String> log =
            scenario
                .window(
                    """
                    onstorage = () => console.log('the window that made the change hears of it');
                    localStorage.a = 1;
                    localStorage.a = 1;
                    localStorage.setItem('a', 2);
                    localStorage.removeItem('none');
                    delete localStorage.a;
                    localStorage.clear();
                    localStorage.b = '';
                    localStorage.clear();
                    """)
                .run();
        assertEquals(
            List.of("a  1 " + url, "a 1 2 " + url, "a 2  " + url, "b   " + url, "   " + url), log);
      }
    }
  }

  @Test
  void null_and_empty_values_are_distinguished() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(
          "onstorage = e => console.log(JSON.stringify([e.key, e.oldValue, e.newValue]))");
      scenario.run();
      scenario.window(
          "localStorage[''] = ''; localStorage.removeItem(''); localStorage.x = 1;"
              + " localStorage.clear()");
      assertEquals(
          List.of("[\"\",null,\"\"]", "[\"\",\"\",null]", "[\"x\",null,\"1\"]", "[null,null,null]"),
          scenario.run());
    }
  }

  @Test
  void storage_event_fires_in_a_task_of_the_dom_manipulation_source() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window("addEventListener('storage', e => console.log(e.newValue))").run();
      scenario.window("localStorage.a = 'x'").run();
      assertEquals(List.of("x"), scenario.log());
      assertTrue(scenario.trace().contains("TASK window-1: DOM manipulation: storage"));
    }
  }

  @Test
  void session_storage_fires_no_event_in_other_windows() {
    try (Scenario scenario = new Scenario(1)) {
      scenario.window(LISTEN + "console.log('listens')").run();
      scenario.window("sessionStorage.a = 1; sessionStorage.clear()");
      assertEquals(List.of("listens"), scenario.run());
    }
  }

  @Test
  void other_origins_and_user_agents_receive_no_events() {
    try (Scenario scenario = new Scenario(1);
        Scenario other = new Scenario(2)) {
      scenario.windowAt("https://two.test", LISTEN).windowAt("https://sub.one.test", LISTEN);
      scenario.windowAt("https://one.test:8443", LISTEN).windowAt("http://one.test", LISTEN).run();
      other.window(LISTEN).run();
      scenario.window("localStorage.a = 1; localStorage.clear()");
      assertEquals(List.of(), scenario.run());
      assertEquals(List.of(), other.run());
    }
  }

  @Test
  void closed_window_gets_no_events_and_is_not_retained() {
    try (StorageBed bed = new StorageBed()) {
      StorageBottle bottle = bed.shelf("one.test").defaultBucket().localStorage();
      StorageBed.TestWindow first = bed.window("one.test");
      StorageBed.TestWindow second = bed.window("one.test");
      bed.window("two.test");
      assertEquals(2, bottle.watcherCount());
      first.end();
      assertEquals(1, bottle.watcherCount());
      assertEquals("1", second.run("localStorage.a = 1; say(localStorage.a)"));
      for (int i = 0; i < 20; i++) {
        bed.window("one.test").end();
      }
      second.end();
      assertEquals(0, bottle.watcherCount());
      assertEquals("1", bottle.get("a"), "what was stored ended with its window");
    }
  }

  @Test
  void change_made_in_a_storage_listener_reaches_other_windows() {
    for (int seed = 0; seed < TestSize.seeds(8); seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        scenario
            .window(
                "onstorage = e => { if (e.key === 'ask') localStorage.answer = e.newValue + '!'; }")
            .run();
        scenario.window(
            "onstorage = e => console.log(e.key + ' ' + e.newValue); localStorage.ask = 'you'");
        assertEquals(List.of("answer you!"), scenario.run());
      }
    }
  }

  /** Three windows pass a token by events alone, under any schedule. */
  @Test
  void windows_that_pass_a_token_take_turns_under_every_seed() {
    for (int seed = 0; seed < 20; seed++) {
      try (Scenario scenario = new Scenario(seed)) {
        for (int i = 0; i < 3; i++) {
          scenario.window(
              """
              onstorage = e => {
                const n = Number(e.newValue);
                if (e.key === 'token' && n % 3 === ME && n < 9) {
                  console.log('ME: ' + n);
                  localStorage.token = n + 1;
                }
              };
              """
                  .replace("ME", "" + i));
        }
        scenario.run();
        scenario.window("localStorage.token = 0");
        assertEquals(
            List.of("0: 0", "1: 1", "2: 2", "0: 3", "1: 4", "2: 5", "0: 6", "1: 7", "2: 8"),
            scenario.run());
      }
    }
  }
}
