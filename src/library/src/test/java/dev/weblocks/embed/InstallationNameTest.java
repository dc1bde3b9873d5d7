package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockEvent;
import dev.weblocks.model.LockListener;
import dev.weblocks.model.Schedule;
import dev.weblocks.model.TraceEvent;
import dev.weblocks.model.TraceListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The name that the embedder gives an installation. */
class InstallationNameTest {

  private final DeterministicDriver driver = Driver.deterministic(1);
  private final List<DeadlockReport> reports = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .environment(SharedEnvironment.ENVIRONMENT)
          .lockWatchdog(Duration.ofSeconds(5), reports::add)
          .errorListener(error -> names.add("error of " + error.agent()))
          .lockListener(
              new LockListener() {
                @Override
                public void granted(LockEvent event) {
                  names.add("granted to " + event.agent());
                }
              })
          .traceListener(
              new TraceListener() {
                @Override
                public void on(TraceEvent event) {
                  if (event.actor().startsWith("rule")) {
                    names.add("trace of " + event.actor());
                  }
                }
              })
          .build();
  @RegisterExtension private final EmbedderContexts contexts = new EmbedderContexts();

  @AfterEach
  void close() {
    userAgent.close();
    driver.close();
  }

  @Test
  void name_is_shown_by_watchdog_errors_events_and_trace() {
    Context context = contexts.open();
    CallerDrivenInstallation installation = userAgent.installInto(context).name("rule48").install();
    assertEquals("rule48", installation.name());
    context.eval(
        "js",
        "navigator.locks.request('a', () => navigator.locks.request('a', () => {}));"
            + " setTimeout(() => { throw 1; })");
    driver.runUntilIdle(10_000);
    assertTrue(
        names.containsAll(List.of("granted to rule48", "error of rule48", "trace of rule48")),
        names::toString);
    assertEquals(
        List.of("rule48"),
        reports.stream().map(report -> report.late().getFirst().agent()).toList());
    assertEquals("rule48", userAgent.locks().getFirst().agent());
  }

  @Test
  void name_in_use_is_refused_until_the_first_one_ends() {
    CallerDrivenInstallation first =
        userAgent.installInto(contexts.open()).name("rule48").install();
    Context second = contexts.open();
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> userAgent.installInto(second).name("rule48").install());
    assertTrue(refused.getMessage().contains("'rule48'"), refused::getMessage);
    first.close();
    assertEquals("rule48", userAgent.installInto(second).name("rule48").install().name());
  }

  @Test
  void name_like_that_of_another_actor_is_refused() {
    Installation.Builder builder = userAgent.installInto(contexts.open());
    for (String name : List.of("", "window-1", "installation-12", "shared-worker-3", "java-1")) {
      assertThrows(IllegalArgumentException.class, () -> builder.name(name), name);
    }
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> builder.name(Schedule.CLOCK));
    assertEquals(
        "the name 'clock' is empty or reserved; use another, such as rule48", refused.getMessage());
    for (String actor :
        List.of("lock task queue", "service worker queue", "remote locks", "lock watchdog")) {
      assertThrows(IllegalArgumentException.class, () -> builder.name(actor), actor);
    }
    assertEquals("rule-48", builder.name("rule-48").install().name());
  }
}
