package dev.weblocks.global;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.embed.Scenario;
import org.junit.jupiter.api.Test;

class PerformanceTest {

  @Test
  void performance_as_json_has_only_the_time_origin() {
    assertEquals(
        "timeOrigin true",
        Scenario.logOf(
                "const json = performance.toJSON(); console.log(Object.keys(json).join(), json.timeOrigin === performance.timeOrigin)")
            .getFirst());
  }
}
