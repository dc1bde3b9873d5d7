package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows that end while a promise job runs. Some versions of the engine run the jobs after it:
 * they have no effect after the locks of the window were released.
 */
class CancelledJobsTest {

  private static final int LIMIT_SECONDS = 30;
  private static final String ORIGIN = "https://app.test/";

  /** Stops at a job that never ends, with many jobs after it. */
  private static final String HOLDER =
      """
      const channel = new BroadcastChannel('b');
      const job = () => {
        channel.postMessage('job');
        localStorage.setItem('written', 'yes');
        navigator.locks.request('other', () => new Promise(() => {})).catch(() => {});
        console.log('job');
      };
      navigator.locks.request('a', () => new Promise(() => {})).catch(() => {});
      setTimeout(() => {
        const soon = Promise.resolve();
        soon.then(() => { console.log('inside'); %s });
        for (let i = 0; i < 50; i++) {
          soon.then(job);
        }
        (async () => {
          try {
            await null;
            await null;
          } finally {
            for (;;) job();
          }
        })();
      });
      """;

  private static final String OTHER =
      """
      new BroadcastChannel('b').onmessage = e => console.log('message: ' + e.data);
      navigator.locks.request('a', async () => {
        await navigator.locks.request('other', () => {});
        console.log('granted, written: ' + localStorage.getItem('written'));
        await new Promise(resolve => setTimeout(resolve, 10));
        const { held, pending } = await navigator.locks.query();
        console.log('at the end: ' + held.length + ', ' + pending.length);
      });
      """;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private void awaitLine(String beginning) throws InterruptedException {
    String line;
    do {
      line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertTrue(line != null, () -> beginning + " is not in " + log);
    } while (!line.startsWith(beginning));
  }

  private void run(Limits limits, String spin, Consumer<Window> end) throws Exception {
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .driver(Driver.threadPool(3))
            .environment(SharedEnvironment.ENVIRONMENT)
            .limits(limits)
            .resourceLoader(
                ResourceLoader.inMemory()
                    .put(ORIGIN + "holder.html", "<script>" + HOLDER.formatted(spin) + "</script>")
                    .put(ORIGIN + "other.html", "<script>" + OTHER + "</script>")
                    .build())
            .consoleListener(message -> {
              log.add(message.text());
              lines.add(message.text());
            })
            .errorListener(error -> {})
            .build()) {
      Window holder = userAgent.open(ORIGIN + "holder.html");
      awaitLine("inside");
      userAgent.open(ORIGIN + "other.html");
      end.accept(holder);
      awaitLine("at the end");
      assertTrue(holder.ended().isDone());
    }
    int granted = log.indexOf("granted, written: null");
    assertTrue(granted >= 0, log::toString);
    assertEquals(
        List.of("granted, written: null", "at the end: 1, 0"), log.subList(granted, log.size()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for (;;);",
        "try { for (;;); } finally { job() }",
        "new Worker('none'); for (;;) Math.random();"
      })
  void jobs_after_a_closed_windows_job_have_no_effect(String spin) throws Exception {
    run(Limits.newBuilder().build(), spin, Window::close);
  }

  @Test
  void jobs_after_a_job_beyond_the_turn_limit_have_no_effect() throws Exception {
    run(Limits.newBuilder().turnLimit(Duration.ofSeconds(1)).build(), "for (;;);", holder -> {});
  }
}
