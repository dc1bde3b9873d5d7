package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StackReserveTest {

  private static final int MEGABYTE = 1 << 20;

  /** Enough calls for every compiler. */
  private static final int CALLS = 50_000;

  /** A frame that a compiler had made small would find four times the stack. */
  @Test
  void reserve_has_its_size_in_compiled_code_too() throws Exception {
    CompletableFuture<String> answers = new CompletableFuture<>();
    Runnable calls =
        () -> {
          for (int i = 0; i < CALLS; i++) {
            StackReserve.requireForStep();
          }
          answers.complete(fits(MEGABYTE / 4) + " " + fits(2 * MEGABYTE));
        };
    new Thread(null, calls, "stack of a megabyte", MEGABYTE).start();
    assertEquals("true false", answers.get(60, TimeUnit.SECONDS));
  }

  private static boolean fits(int bytes) {
    try {
      StackReserve.require(bytes);
      return true;
    } catch (StackOverflowError tooLarge) {
      return false;
    }
  }
}
