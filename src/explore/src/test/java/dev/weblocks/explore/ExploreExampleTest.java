package dev.weblocks.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The examples of the documentation. */
class ExploreExampleTest {

  // @start region="example"
  @Explore(Orders.ALL)
  void two_additions_both_count(Scene scene) {
    AtomicInteger count = new AtomicInteger();
    scene.function("read", arguments -> count.get());
    scene.function(
        "write",
        arguments -> {
          count.set(arguments[0].asInt());
          return null;
        });
    for (String name : new String[] {"first", "second"}) {
      scene
          .agent(name)
          .module("await navigator.locks.request('count', async () => write(await read() + 1));");
    }
    scene.atEnd(() -> assertEquals(2, count.get()));
  }

  // @end

  @Test
  void a_report_has_the_number_of_orders() throws InterruptedException {
    // @start region="api"
    ExplorationReport report = Exploration.of(this::two_additions_both_count).all().check();
    assertTrue(report.isExhausted());
    // @end
    assertTrue(report.schedules() > 1, report::toString);
    assertTrue(report.toString().endsWith("no finding in any order"), report::toString);
  }
}
