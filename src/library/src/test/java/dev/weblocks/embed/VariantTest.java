package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.LockManagerSnapshot;
import dev.weblocks.model.Variant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.junit.jupiter.api.Test;

/** Variants in the public API. */
class VariantTest {

  @Test
  void each_variant_has_a_title_and_describes_its_change_and_origin() {
    for (Variant each : Variant.values()) {
      assertFalse(each.title().isEmpty() || each.change().isEmpty() || each.origin().isEmpty());
    }
  }

  @Test
  void interfaces_and_their_code_match_with_each_variant() {
    SharedEnvironment.ENVIRONMENT.platform(Set.of()).check();
    for (Variant each : Variant.values()) {
      SharedEnvironment.ENVIRONMENT.platform(Set.of(each)).check();
    }
  }

  @Test
  void name_denotes_a_variant_or_a_set_of_variants() {
    assertEquals(Optional.of(Set.of(Variant.REENTRANT)), Variant.named("reentrant"));
    assertEquals(Optional.of(Variant.sets().get("node")), Variant.named("node"));
    assertEquals(Optional.empty(), Variant.named("REENTRANT"));
    assertEquals(Optional.empty(), Variant.named(""));
  }

  @Test
  void builder_refuses_incompatible_variants_with_a_hint() {
    UserAgent.Builder builder = UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> builder.variants(Set.of(Variant.SETTLE_AT_ONCE, Variant.SETTLE_BEFORE_GRANT)));
    assertEquals(
        "the variants settle-before-grant and settle-at-once exclude each other; leave one of them"
            + " out",
        refused.getMessage());
    for (Variant one : Variant.values()) {
      for (Variant other : one.excludes()) {
        assertThrows(IllegalArgumentException.class, () -> builder.variants(Set.of(one, other)));
      }
    }
  }

  @Test
  void private_session_has_the_variants_of_its_user_agent() {
    try (Scenario scenario = new Scenario(1, Set.of(Variant.CALLBACK_LESS));
        UserAgent session = scenario.userAgent().openPrivateSession()) {
      scenario.resource("/page.html", "<script>console.log(typeof ReleasableLock)</script>");
      session.open(Scenario.ORIGIN + "/page.html");
      assertEquals(List.of("function"), scenario.run());
    }
  }

  @Test
  void user_agents_of_one_environment_may_have_different_variants() {
    String script = "console.log(typeof ReleasableLock, typeof Symbol.asyncDispose)";
    String ofEngine; // some engines have the symbol
    try (Context context =
        Context.newBuilder("js").option("js.ecmascript-version", "staging").build()) {
      ofEngine = context.eval("js", "typeof Symbol.asyncDispose").asString();
    }
    for (int round = 0; round < 2; round++) {
      try (Scenario draft = new Scenario(1);
          Scenario variant = new Scenario(1, Set.of(Variant.CALLBACK_LESS, Variant.REENTRANT))) {
        assertEquals(List.of("undefined " + ofEngine), draft.window(script).run());
        assertEquals(List.of("function symbol"), variant.window(script).run());
      }
    }
  }

  // ---- contexts of the embedder ----------------------------------------------------------------

  /** Runs a script in an installation; returns its {@code log} joined by commas. */
  private static String installed(Set<Variant> variants, String script) {
    try (UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .variants(variants)
                .build();
        Context context = Context.newBuilder("js").allowHostAccess(HostAccess.NONE).build();
        CallerDrivenInstallation installation =
            userAgent.installInto(context).clientId("mine").install()) {
      context.eval("js", "const log = [];" + script);
      installation.runUntilIdle();
      return context.eval("js", "log.join()").asString();
    }
  }

  @Test
  void variant_own_client_ids_replaces_the_client_id_of_the_embedder() {
    String script =
        """
        navigator.locks.request('a', async () => {
          log.push((await navigator.locks.query()).held[0].clientId);
        });
        """;
    assertEquals("mine", installed(Set.of(), script));
    String own = installed(Set.of(Variant.OWN_CLIENT_IDS), script);
    assertTrue(own.matches("[0-9a-f-]{36}"), own);
  }

  @Test
  void callback_less_request_works_in_a_context_without_symbol_async_dispose() {
    assertEquals(
        "a,function,undefined,released",
        installed(
            Set.of(Variant.CALLBACK_LESS),
            """
            navigator.locks.request('a').then(async lock => {
              log.push(lock.name, typeof lock.release, typeof Symbol.asyncDispose);
              await lock.release();
              log.push('released');
            });
            """));
  }

  @Test
  void variant_callback_inside_request_applies_to_requests_outside_of_turns() {
    String script = "navigator.locks.request('a', () => { log.push('in') }); log.push('after')";
    assertEquals("after,in", installed(Set.of(), script));
    assertEquals("in,after", installed(Set.of(Variant.CALLBACK_INSIDE_REQUEST), script));
  }

  // ---- Java code and threads -------------------------------------------------------------------

  @Test
  void variants_of_lock_managers_apply_to_java_clients() {
    for (boolean draft : new boolean[] {true, false}) {
      Set<Variant> variants = draft ? Set.of() : Set.of(Variant.QUERY_OWN_LOCKS);
      try (Scenario scenario = new Scenario(1, variants);
          LockClient client = scenario.userAgent().openLockClient(Scenario.ORIGIN)) {
        scenario.window("navigator.locks.request('a', () => new Promise(() => {}));").run();
        CompletableFuture<LockManagerSnapshot> snapshot = client.query().toCompletableFuture();
        scenario.run();
        assertEquals(draft ? 1 : 0, snapshot.join().held().size());
      }
    }
  }

  /** Many windows on several threads: each callback runs inside its request, and all complete. */
  @Test
  void locks_exclude_each_other_across_threads_if_callbacks_run_inside_requests() {
    ConcurrentLinkedQueue<String> log = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    String page =
        """
        <script>
        (async () => {
          for (let i = 0; i < 50; i++) {
            await navigator.locks.request('a', async () => {
              const count = Number(localStorage.getItem('count'));
              await new Promise(resolve => setTimeout(resolve));
              localStorage.setItem('count', count + 1);
            });
            await navigator.locks.request('b' + i % 3, {ifAvailable: true}, () => {});
          }
          await navigator.locks.request('a', () => console.log(localStorage.getItem('count')));
        })();
        </script>
        """;
    Set<Variant> inside =
        Set.of(
            Variant.CALLBACK_INSIDE_REQUEST, Variant.SETTLE_AT_ONCE, Variant.SKIP_STOLEN_CALLBACK);
    try (Driver driver = Driver.threadPool(4);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .environment(SharedEnvironment.ENVIRONMENT)
                .driver(driver)
                .variants(inside)
                .resourceLoader(request ->
                    CompletableFuture.completedFuture(
                        ResourceResponse.of(request.url(), "text/html", page)))
                .consoleListener(message -> log.add(message.text()))
                .errorListener(error -> errors.add(error.message()))
                .build()) {
      for (int i = 0; i < 4; i++) {
        userAgent.open("https://one.test/" + i);
      }
      userAgent.quiescent().join();
      assertEquals(List.of(), List.copyOf(errors));
      assertEquals(4, log.size());
      assertTrue(log.contains("200"), log.toString());
      assertEquals(List.of(), userAgent.locks());
    }
  }
}
