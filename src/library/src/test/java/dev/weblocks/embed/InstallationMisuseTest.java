package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Refused calls, and the hints of their exceptions. */
class InstallationMisuseTest {

  private final Engine engine =
      Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
  private UserAgent userAgent;
  private Context context;

  @BeforeEach
  void open() {
    userAgent = UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT).build();
    context = Context.newBuilder("js").engine(engine).build();
  }

  @AfterEach
  void close() {
    userAgent.close();
    context.close(true);
    engine.close();
  }

  private CallerDrivenInstallation install() {
    return userAgent.installInto(context).install();
  }

  private static void assertRefused(String advice, Executable use) {
    IllegalStateException refused = assertThrows(IllegalStateException.class, use);
    assertTrue(refused.getMessage().contains(advice), refused.getMessage());
  }

  /** Defines a global function that catches exceptions of the steps; returns the last of them. */
  private AtomicReference<Throwable> function(String name, Executable steps) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    context
        .getBindings("js")
        .putMember(
            name,
            (ProxyExecutable)
                none -> {
                  try {
                    steps.execute();
                  } catch (Throwable failure) {
                    thrown.set(failure);
                  }
                  return null;
                });
    return thrown;
  }

  @Test
  void a_callback_must_not_run_the_loop() {
    CallerDrivenInstallation installation = install();
    AtomicReference<Throwable> thrown = function("run", installation::runOne);
    context.eval("js", "navigator.locks.request('a', () => run())");
    installation.runUntilIdle();
    assertRefused(
        "return from the callback first",
        () -> {
          throw thrown.get();
        });
  }

  @Test
  void script_that_runs_outside_of_turns_must_not_run_the_loop() {
    CallerDrivenInstallation installation = install();
    AtomicReference<Throwable> thrown = function("run", installation::runUntilIdle);
    context.eval("js", "run()");
    assertRefused(
        "return from the callback first",
        () -> {
          throw thrown.get();
        });
  }

  @Test
  void thread_inside_the_context_but_outside_of_script_may_run_the_loop() {
    CallerDrivenInstallation installation = install();
    context.enter();
    try {
      context.eval("js", "var n = 0; navigator.locks.request('a', () => { n++ })");
      installation.runUntilIdle();
      assertEquals(1, context.eval("js", "n").asInt());
    } finally {
      context.leave();
    }
  }

  @Test
  void the_loop_does_not_run_while_another_thread_is_inside_the_context() throws Exception {
    CallerDrivenInstallation installation = install();
    context.eval("js", "navigator.locks.request('a', () => {})");
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              context.enter();
              inside.countDown();
              try {
                leave.await();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              context.leave();
            });
    assertTrue(inside.await(60, TimeUnit.SECONDS));
    assertRefused("run the loop on that thread, or when it has left", installation::runOne);
    leave.countDown();
    other.join();
    assertTrue(installation.runOne());
  }

  @Test
  void two_threads_must_not_run_the_loop_at_once() throws Exception {
    CallerDrivenInstallation installation = install();
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    installation.execute(() -> {
      inside.countDown();
      try {
        goOn.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    });
    Thread other = Thread.ofPlatform().start(installation::runUntilIdle);
    assertTrue(inside.await(60, TimeUnit.SECONDS));
    assertRefused("use submit()", installation::runOne);
    goOn.countDown();
    other.join();
  }

  @Test
  void executor_and_clock_cannot_both_be_set() {
    assertRefused(
        "use install() to run",
        () -> userAgent.installInto(context).clock(InstantSource.system()).install(task -> {}));
  }

  @Test
  void executor_that_runs_tasks_on_the_submitting_thread_is_refused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> userAgent.installInto(context).install(Runnable::run));
    assertTrue(refused.getMessage().contains("threads of its own"), refused.getMessage());
  }

  @Test
  void chosen_locks_need_a_secure_origin() {
    Installation.Builder insecure = userAgent.installInto(context).origin("http://one.test");
    insecure.globals(Globals.LOCKS);
    assertRefused("scripts of http://one.test have no locks", insecure::install);
    assertEquals("undefined", context.eval("js", "typeof AbortController").asString());
    assertRefused(
        "use an origin of https or localhost",
        () ->
            userAgent
                .installInto(context)
                .origin("http://one.test")
                .globals("navigator.locks")
                .install());
    userAgent.installInto(context).origin("http://localhost").globals(Globals.LOCKS).install();
  }

  @Test
  void chosen_locks_need_a_navigator_that_accepts_them() {
    context.eval("js", "var navigator = Object.freeze({})");
    assertRefused(
        "navigator.locks cannot be installed",
        () -> userAgent.installInto(context).globals(Globals.LOCKS).install());
    install().close();
  }

  @Test
  void context_refuses_a_second_installation_of_any_user_agent() {
    CallerDrivenInstallation installation = install();
    assertRefused("use it, or close it first", this::install);
    try (UserAgent other =
        UserAgent.newBuilder().environment(SharedEnvironment.ENVIRONMENT).build()) {
      assertRefused("use it, or close it first", () -> other.installInto(context).install());
    }
    installation.close();
    install();
  }

  @Test
  void closed_context_refuses_an_installation() {
    context.close();
    assertRefused("the context is closed; install into a new one", this::install);
  }

  @Test
  void context_entered_by_another_thread_refuses_an_installation() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    context.initialize("js"); // otherwise the engine admits both and then fails
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              context.enter();
              inside.countDown();
              try {
                leave.await();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              context.leave();
            });
    assertTrue(inside.await(60, TimeUnit.SECONDS));
    assertRefused("call this after that thread has left", this::install);
    leave.countDown();
    other.join();
    install();
  }

  @Test
  void context_with_an_old_language_version_refuses_an_installation() {
    try (Context old =
        Context.newBuilder("js").engine(engine).option("js.ecmascript-version", "2022").build()) {
      assertRefused("needs ECMAScript 2024", () -> userAgent.installInto(old).install());
      assertEquals(2, old.eval("js", "1 + 1").asInt());
    }
  }

  @Test
  void closed_user_agent_refuses_to_install() {
    userAgent.close();
    assertRefused("the user agent is closed; make another one", this::install);
  }

  @Test
  void loop_of_an_ended_installation_refuses_to_run() {
    CallerDrivenInstallation installation = install();
    installation.close();
    assertRefused("install again into an open context", installation::runOne);
  }

  @Test
  void loop_refuses_to_run_after_the_user_agent_was_closed() {
    CallerDrivenInstallation installation = install();
    userAgent.close();
    assertRefused("its user agent is closed", installation::runOne);
  }

  @Test
  void a_callback_must_not_wait_for_the_end_of_the_user_agent() {
    CallerDrivenInstallation installation = install();
    AtomicReference<Throwable> thrown = function("end", userAgent::close);
    context.eval("js", "navigator.locks.request('a', () => end())");
    installation.runUntilIdle();
    assertRefused(
        "call it on another thread",
        () -> {
          throw thrown.get();
        });
  }

  @Test
  void a_callback_must_not_wait_for_another_turn() {
    CallerDrivenInstallation installation = install();
    for (Executable wait :
        List.<Executable>of(
            () -> installation.submit(() -> 1).toCompletableFuture().join(),
            () -> installation.submit(() -> 1).thenApply(x -> x).toCompletableFuture().get(),
            () -> installation.ended().get(1, TimeUnit.DAYS))) {
      AtomicReference<Throwable> thrown = function("join", wait);
      context.eval("js", "navigator.locks.request('a', () => join())");
      installation.runUntilIdle();
      assertRefused(
          "wait on another thread",
          () -> {
            throw thrown.get();
          });
    }
  }

  @Test
  void client_id_in_use_is_refused() {
    CallerDrivenInstallation first = userAgent.installInto(context).clientId("x").install();
    try (Context second = Context.newBuilder("js").engine(engine).build()) {
      assertRefused(
          "give each installation its own id",
          () -> userAgent.installInto(second).clientId("x").install());
      first.close();
      userAgent.installInto(second).clientId("x").install().close();
    }
  }

  @Test
  void unknown_global_is_refused_with_the_list_of_known_ones() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> userAgent.installInto(context).globals("document"));
    assertTrue(refused.getMessage().contains("'document'"), refused.getMessage());
    assertTrue(refused.getMessage().contains("navigator.locks"), refused.getMessage());
  }

  @Test
  void origin_with_a_path_is_refused() {
    for (String value : new String[] {"app.test", "https://app.test/x", "data:,x", ""}) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> userAgent.installInto(context).origin(value));
      assertTrue(refused.getMessage().contains("https://app.test"), refused.getMessage());
    }
  }
}
