package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.agent.BrokenClass;
import dev.weblocks.model.UncaughtError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.junit.jupiter.api.Test;

/** A class of the JVM that cannot be initialized is reported, and ends the agent that met it. */
class BrokenClassTest {

  static final class Broken {
    static final int VALUE = fail();

    private static int fail() {
      throw new IllegalStateException("broken by a test");
    }
  }

  static final class BrokenAgain {
    static final int VALUE = Broken.fail();
  }

  @Test
  void exceptions_of_each_form_name_the_broken_class() {
    String name = BrokenAgain.class.getName();
    Throwable first = assertThrows(LinkageError.class, () -> use(BrokenAgain.VALUE));
    assertEquals(name, BrokenClass.causeOf(first).replaceAll("Broken$", "BrokenAgain"));
    Throwable later = assertThrows(LinkageError.class, () -> use(BrokenAgain.VALUE));
    assertEquals(name, BrokenClass.causeOf(later));
    assertEquals(name, BrokenClass.causeOf(new IllegalStateException(later)));
    assertNull(BrokenClass.causeOf(new NoClassDefFoundError("some/Absent")));
    assertNull(
        BrokenClass.causeOf(
            new IllegalStateException(
                "java.lang.NoClassDefFoundError: Could not initialize class a.B")));
  }

  @Test
  void text_of_a_script_error_does_not_count() {
    try (Context context = Context.create("js")) {
      PolyglotException thrown =
          assertThrows(
              PolyglotException.class,
              () ->
                  context.eval(
                      "js",
                      "throw new Error('java.lang.NoClassDefFoundError: Could not initialize class a.B')"));
      assertNull(BrokenClass.causeOf(thrown));
    }
  }

  @Test
  void member_that_meets_a_broken_class_ends_its_agent_with_a_report() {
    List<UncaughtError> errors = new CopyOnWriteArrayList<>();
    AtomicBoolean fails = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (fails.get()) {
            throw assertThrows(LinkageError.class, () -> use(Broken.VALUE));
          }
          return Instant.EPOCH;
        };
    try (UserAgent userAgent = UserAgent.newBuilder().errorListener(errors::add).build();
        Context context = Context.newBuilder("js").build();
        CallerDrivenInstallation installation =
            userAgent.installInto(context).clock(clock).install()) {
      context.eval("js", "setTimeout(() => { globalThis.later = true; })");
      fails.set(true);
      context.eval("js", "try { performance.now() } catch {}");
      fails.set(false);
      assertEquals(1, errors.size(), errors::toString);
      UncaughtError error = errors.getFirst();
      assertEquals(UncaughtError.Kind.DEFECT, error.kind());
      assertTrue(
          error
              .message()
              .endsWith(
                  "; class "
                      + Broken.class.getName()
                      + " stays broken in this JVM: restart the process"),
          error.message());
      assertTrue(context.eval("js", "typeof later === 'undefined'").asBoolean());
      assertTrue(installation.ended().toCompletableFuture().isDone());
    }
  }

  private static void use(int value) {
    assertEquals(0, value);
  }
}
