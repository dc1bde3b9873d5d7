package dev.weblocks.serviceworkers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way of a service worker from its registration to its end. */
class LifecycleTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_worker_goes_through_all_its_states_in_order(long seed) {
    try (Scenario scenario = new Scenario(seed)) {
      scenario
          .resource(
              "/sw.js",
              "console.log('evaluated ' + serviceWorker.state); oninstall = e => console.log(e.constructor.name + ' ' + serviceWorker.state); onactivate = e => console.log(e.constructor.name + ' ' + serviceWorker.state)")
          .window(
              """
              (async () => {
                const registration = await navigator.serviceWorker.register('/sw.js');
                const worker = registration.installing;
                const states = [worker.state];
                worker.onstatechange = () => {
                  states.push(`${worker.state}:${['installing', 'waiting', 'active'].filter(s => registration[s] === worker)}`);
                  if (worker.state === 'activated') console.log(states.join(' '));
                };
                registration.onupdatefound = e => console.log(e.target === registration && 'updatefound');
                console.log(registration.scope + ' ' + worker.scriptURL);
              })();
              """);
      List<String> log = scenario.run();
      assertEquals(
          List.of(
              "ExtendableEvent activating",
              "InstallEvent installing",
              "evaluated parsed",
              "https://one.test/ https://one.test/sw.js",
              "installing installed:waiting activating:active activated:active",
              "updatefound"),
          log.stream().sorted().toList());
    }
  }
}
