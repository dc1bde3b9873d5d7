package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Limit;
import dev.weblocks.model.Limits;
import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The limits of locks: what script and the embedder see when one is reached. */
class LockLimitsTest {

  /** Runs a script in a window, and returns what it logs. */
  private static List<String> run(UnaryOperator<Limits.Builder> limits, String script) {
    try (LimitsBed bed = new LimitsBed(limits)) {
      Window unused = bed.open("https://one.test/", script);
      return bed.log;
    }
  }

  @Test
  void lock_request_beyond_the_limit_is_rejected_until_one_ends() {
    List<String> log =
        run(
            limits -> limits.lockRequestsPerClient(2),
            """
            navigator.locks.request('a', () =>
                navigator.locks.request('b', () => {})
                    .catch(e => console.log(e.name + ': ' + e.message)));
            navigator.locks.request('a', () => console.log('granted'))
                .then(() => navigator.locks.request('a', () => console.log('granted again')));
            """);
    assertEquals(
        List.of(
            "QuotaExceededError: Failed to execute 'request' on 'LockManager': There are 2 locks"
                + " and requests, which is the limit.",
            "granted",
            "granted again"),
        log);
  }

  @Test
  void lock_name_beyond_the_limit_is_rejected() {
    List<String> log =
        run(
            limits -> limits.lockNameLength(3),
            """
            navigator.locks.request('abc', () => console.log('granted'));
            navigator.locks.request('abcd', () => {})
                .catch(e => console.log(e.name + ': ' + e.message));
            """);
    assertTrue(log.contains("granted"), log::toString);
    assertTrue(
        log.contains(
            "QuotaExceededError: Failed to execute 'request' on 'LockManager': The name is longer"
                + " than 3 code units."),
        log::toString);
  }

  /** Holds a lock until the event {@code release}, and logs a failure. */
  private static final String HOLD =
      """
      const gone = new Promise(done => addEventListener('release', done));
      navigator.locks.request('a', () => gone)
          .catch(e => console.log(e.name + ': ' + e.message));
      addEventListener('again', () => navigator.locks.request('b', () => console.log('granted'))
          .catch(e => console.log(e.name)));
      """;

  private static final String REFUSAL =
      "QuotaExceededError: Failed to execute 'request' on 'LockManager': There are 1 locks and"
          + " requests of this origin, which is the limit.";

  @Test
  void origin_beyond_its_limit_of_requests_does_not_hinder_others() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.lockRequestsPerOrigin(1))) {
      Window first = bed.open("https://one.test/", HOLD);
      Window second = bed.open("https://one.test/", HOLD);
      assertEquals(List.of(REFUSAL), bed.takeLog());
      Window other = bed.open("https://two.test/", HOLD);
      assertEquals(List.of(), bed.takeLog());
      assertEquals(2, bed.userAgent.metrics().held());
      assertEquals(
          Map.of(Limit.LOCK_REQUESTS_PER_ORIGIN, 1L), bed.userAgent.metrics().limitsReached());
      assertEquals("window-2", bed.events.getFirst().agent());
      bed.evaluate(first, "dispatchEvent(new Event('release'))");
      bed.evaluate(second, "dispatchEvent(new Event('again'))");
      assertEquals(List.of("granted"), bed.takeLog());
      bed.evaluate(other, "dispatchEvent(new Event('again'))");
      assertEquals(List.of("QuotaExceededError"), bed.takeLog());
      assertEquals(List.of(), bed.errors);
    }
  }

  @Test
  void closed_window_no_longer_counts_for_its_origin() {
    try (LimitsBed bed = new LimitsBed(limits -> limits.lockRequestsPerOrigin(1))) {
      bed.open("https://one.test/", HOLD).close();
      bed.run();
      Window second = bed.open("https://one.test/", HOLD);
      assertEquals(List.of(), bed.takeLog());
      bed.evaluate(second, "dispatchEvent(new Event('again'))");
      assertEquals(List.of("QuotaExceededError"), bed.takeLog());
    }
  }

  @Test
  void locks_of_all_buckets_count_for_the_origin() {
    List<String> log =
        run(
            limits -> limits.lockRequestsPerOrigin(1),
            """
            navigator.locks.request('a', async () => {
              const bucket = await navigator.storageBuckets.open('b');
              await bucket.locks.request('a', () => {}).catch(e => console.log(e.name));
            });
            """);
    assertEquals(List.of("QuotaExceededError"), log);
  }

  @Test
  void aborted_stolen_and_missed_requests_no_longer_count() {
    List<String> log =
        run(
            limits -> limits.lockRequestsPerOrigin(2),
            """
            (async () => {
              for (let i = 0; i < 5; i++) {
                const controller = new AbortController();
                const stolen = navigator.locks.request('a', () => new Promise(() => {}));
                const aborted = navigator.locks.request('a', {signal: controller.signal}, () => {});
                controller.abort();
                await aborted.catch(e => console.log(e.name));
                await navigator.locks.request('a', {ifAvailable: true}, lock => console.log(lock));
                await navigator.locks.request('a', {steal: true}, () => {});
                await stolen.catch(e => console.log(e.name));
              }
            })();
            """);
    assertEquals(15, log.size(), log::toString);
    assertTrue(log.stream().noneMatch(each -> each.contains("Quota")), log::toString);
  }

  @Test
  void early_draft_has_the_same_limits() {
    try (LimitsBed bed =
        new LimitsBed(
            limits -> limits.lockRequestsPerClient(2).lockRequestsPerOrigin(3).lockNameLength(3),
            Variant.EARLY_DRAFT)) {
      String script =
          """
          const report = e => console.log(e.name + ': ' + e.message);
          const never = new Promise(() => {});
          navigator.locks.acquire(['b', 'abcd'], () => {}).catch(report);
          for (let i = 0; i < 3; i++) navigator.locks.acquire('a', () => never).catch(report);
          """;
      String refused = "QuotaExceededError: Failed to execute 'acquire' on 'LockManager': ";
      Window first = bed.open("https://one.test/", script);
      assertEquals(
          List.of(
              refused + "The name is longer than 3 code units.",
              refused + "There are 2 locks and requests, which is the limit."),
          bed.takeLog());
      Window second = bed.open("https://one.test/", script);
      assertEquals(
          List.of(
              refused + "The name is longer than 3 code units.",
              refused + "There are 3 locks and requests of this origin, which is the limit.",
              refused + "There are 3 locks and requests of this origin, which is the limit."),
          bed.takeLog());
      assertEquals(
          Map.of(
              Limit.LOCK_NAME_LENGTH,
              2L,
              Limit.LOCK_REQUESTS_PER_CLIENT,
              1L,
              Limit.LOCK_REQUESTS_PER_ORIGIN,
              2L),
          bed.userAgent.metrics().limitsReached());
      first.close();
      bed.run();
      bed.evaluate(second, "navigator.locks.acquire('c', () => console.log('granted'))");
      assertEquals(List.of("granted"), bed.takeLog());
    }
  }
}
