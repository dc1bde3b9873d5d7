package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.binding.Resources;
import dev.weblocks.testing.Golden;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All functions of windows and workers that read a clock or chance. Each function and getter that a
 * global object reaches is called in three deterministic runs: two that are the same, and one with
 * another start time and seed. So a function of a newer engine that reads the machine fails this
 * test, without being known to it.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("alone") // a result may depend on caches of the JVM
class ClockReadersGoldenTest {

  private static final Instant START = Instant.parse("1993-05-17T08:00:00Z");
  private static final Instant OTHER_START = Instant.parse("1987-03-12T17:11:13Z");

  private static final String URL = "https://one.test/";

  /** Returns the texts of the outcomes of each function, by kind of global and path. */
  private static Map<String, String> outcomes(Environment environment, long seed, Instant start) {
    String script = Resources.text(ClockReadersGoldenTest.class, "clock-readers.js");
    StringBuilder lines = new StringBuilder();
    AtomicInteger running = new AtomicInteger(2);
    ResourceLoader resources =
        ResourceLoader.inMemory()
            .put(URL, "<script>new Worker('/worker.js')</script><script src=/worker.js></script>")
            .put(URL + "worker.js", script)
            .build();
    try (DeterministicDriver driver =
            DeterministicDriver.newBuilder().seed(seed).startTime(start).build();
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(environment)
                .resourceLoader(resources)
                .errorListener(error -> {}) // of calls without sense, such as reportError(1)
                .consoleListener(message -> {
                  if (message.text().equals("end")) {
                    running.decrementAndGet();
                  } else {
                    lines.append(message.text());
                  }
                })
                .build()) {
      userAgent.open(URL);
      while (running.get() > 0 && driver.runOne()) {
        // the calls leave timers and other work, which is not run
      }
    }
    assertEquals(0, running.get(), "walks that did not end");
    Map<String, String> outcomes = new TreeMap<>();
    lines
        .toString()
        .lines()
        .forEach(line -> {
          int tab = line.indexOf('\t');
          outcomes.merge(line.substring(0, tab), line.substring(tab), String::concat);
        });
    return outcomes;
  }

  private static List<String> differing(Map<String, String> one, Map<String, String> other) {
    Map<String, String> all = new TreeMap<>(one);
    all.putAll(other);
    return all.keySet().stream()
        .filter(path -> !Objects.equals(one.get(path), other.get(path)))
        .toList();
  }

  /** Returns a pattern for the year, or for a count of seconds, ms, µs or ns since 1970. */
  private static Pattern present() {
    return Pattern.compile(
        "\\b%s\\b|\\b%s\\d{5,14}\\b"
            .formatted(Year.now(ZoneOffset.UTC), Instant.now().getEpochSecond() / 100_000));
  }

  @Test
  void only_known_functions_depend_on_start_time_and_seed() {
    try (TemporalEnvironment temporal = new TemporalEnvironment()) {
      Map<String, String> outcomes = outcomes(temporal.environment(), 1, START);
      Set<String> readers =
          new TreeSet<>(differing(outcomes, outcomes(temporal.environment(), 1, START)));
      Pattern present = present(); // functions without a time of day differ only overnight
      outcomes.forEach((path, texts) -> {
        if (present.matcher(texts).find()) {
          readers.add(path);
        }
      });
      assertEquals(Set.of(), readers, "functions that read the clock or chance of the machine");
      Golden.check(
          "dev/weblocks/embed/golden/clock-readers.txt",
          String.join("\n", differing(outcomes, outcomes(temporal.environment(), 2, OTHER_START))));
    }
  }
}
