package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletionException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.junit.jupiter.api.Test;

class OutOfMemoryTest {

  private static OutOfMemoryError heap() {
    return new OutOfMemoryError("Java heap space");
  }

  @Test
  void out_of_memory_is_found_among_all_causes() {
    assertTrue(OutOfMemory.isCauseOf(heap()));
    assertTrue(OutOfMemory.isCauseOf(new CompletionException(new RuntimeException(heap()))));
    assertFalse(OutOfMemory.isCauseOf(new CompletionException(new StackOverflowError())));
    assertFalse(OutOfMemory.isCauseOf(new IllegalStateException("Java heap space")));
  }

  @Test
  void cycle_of_causes_ends_the_search() {
    RuntimeException one = new RuntimeException("one");
    RuntimeException other = new RuntimeException("other", one);
    assertEquals(one, one.initCause(other));
    assertFalse(OutOfMemory.isCauseOf(one));
  }

  @Test
  void out_of_memory_is_found_after_it_passed_through_script() {
    try (Context context =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      Value call = context.eval("js", "f => f()");
      assertTrue(OutOfMemory.isCauseOf(thrownBy(call, heap())));
      assertFalse(OutOfMemory.isCauseOf(thrownBy(call, new StackOverflowError())));
      assertFalse(OutOfMemory.isCauseOf(thrownBy(call, new AssertionError("mine"))));
      PolyglotException ofScript =
          assertThrows(
              PolyglotException.class,
              () -> context.eval("js", "throw new RangeError('Out of memory')"));
      assertFalse(OutOfMemory.isCauseOf(ofScript));
    }
  }

  private static PolyglotException thrownBy(Value call, Error error) {
    ProxyExecutable fails =
        arguments -> {
          throw error;
        };
    return assertThrows(PolyglotException.class, () -> call.execute(fails));
  }
}
