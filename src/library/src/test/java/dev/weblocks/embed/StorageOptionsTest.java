package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Storage options in the builder of a user agent, and sharing of storage. */
class StorageOptionsTest {

  private final List<String> log = new ArrayList<>();
  private String script = "";

  private UserAgent.Builder builder(Driver driver) {
    return UserAgent.newBuilder()
        .driver(driver)
        .environment(SharedEnvironment.ENVIRONMENT)
        .consoleListener(message -> log.add(message.text()))
        .errorListener(error -> log.add(error.message()))
        .resourceLoader(request ->
            CompletableFuture.completedFuture(
                ResourceResponse.of(
                    request.url(), "text/html", "<!doctype html><script>" + script + "</script>")));
  }

  private void open(DeterministicDriver driver, UserAgent userAgent, String toRun) {
    script = toRun;
    userAgent.open("https://one.test/");
    driver.runUntilIdle(1_000_000);
  }

  @Test
  void quotas_and_persistence_are_as_set_in_the_builder() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            builder(driver)
                .webStorageQuota(12)
                .storageQuota(1_000)
                .persistentStorage(true)
                .build()) {
      open(
          driver,
          userAgent,
          """
          (async () => {
            localStorage.abc = 'def';
            try { localStorage.abc = 'defg'; } catch (e) { console.log(e.name); }
            try { sessionStorage.abcd = 'def'; } catch (e) { console.log(e.name); }
            console.log(String((await navigator.storage.estimate()).quota));
            const bucket = await navigator.storageBuckets.open('a', {quota: 2000, persisted: true});
            console.log((await bucket.estimate()).quota + ' ' + await bucket.persisted());
            const other = await navigator.storageBuckets.open('b');
            console.log(await other.persisted() + ' ' + await other.persist() + ' ' + await other.persisted());
            console.log(await navigator.storage.persist() + ' ' + await navigator.storage.persisted());
          })();
          """);
      assertEquals(
          List.of(
              "QuotaExceededError",
              "QuotaExceededError",
              "1000",
              "1000 true",
              "false true true",
              "true true"),
          log);
    }
  }

  @Test
  void negative_quotas_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> UserAgent.newBuilder().webStorageQuota(-1));
    assertThrows(IllegalArgumentException.class, () -> UserAgent.newBuilder().storageQuota(-1));
  }

  @Test
  void private_session_shares_no_storage_or_locks_with_its_user_agent() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent = builder(driver).build()) {
      UserAgent session = userAgent.openPrivateSession();
      open(
          driver,
          userAgent,
          """
          localStorage.a = 1;
          onstorage = e => console.log('heard ' + e.key);
          navigator.storageBuckets.open('b').then(b => b.locks.request('l', () => {
            console.log('held');
            return new Promise(() => {});
          }));
          """);
      open(
          driver,
          session,
          """
          (async () => {
            console.log(localStorage.length + ' ' + (await navigator.storageBuckets.keys()).length);
            const b = await navigator.storageBuckets.open('b');
            console.log(String((await b.locks.query()).held.length));
            localStorage.c = 1;
          })();
          """);
      assertEquals(List.of("held", "0 0", "0"), log);
    }
  }
}
