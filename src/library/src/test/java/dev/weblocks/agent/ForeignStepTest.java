package dev.weblocks.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The message about a step that another thread caused. */
class ForeignStepTest {

  /** Returns the message for a stack of these classes, innermost first. */
  private static String text(String... classNames) {
    List<StackTraceElement> place =
        Stream.of(classNames)
            .map(name -> new StackTraceElement(name, "method", "File.java", 1))
            .toList();
    return ForeignSteps.of("window-1", "was given work", "other", place).text();
  }

  private static final String TEXT =
      "window-1 was given work by thread other, outside of the schedule";

  @Test
  void reported_place_is_the_first_caller_outside_of_library_jdk_and_engine() {
    assertEquals(
        TEXT + ", at example.Shop.method(File.java:1)",
        text(
            "dev.weblocks.agent.DeterministicDriver",
            "dev.weblocks.binding.Seam",
            "com.oracle.truffle.polyglot.PolyglotContextImpl",
            "org.graalvm.polyglot.Context",
            "java.util.concurrent.CompletableFuture",
            "example.Shop",
            "example.Main"));
  }

  @Test
  void reported_place_is_library_code_if_the_stack_has_no_other_code() {
    assertEquals(
        TEXT + ", at dev.weblocks.embed.UserAgent.method(File.java:1)",
        text(
            "dev.weblocks.agent.DeterministicDriver",
            "dev.weblocks.embed.UserAgent",
            "java.util.concurrent.CompletableFuture",
            "jdk.internal.net.http.Exchange",
            "java.lang.Thread"));
    assertEquals(TEXT, text("dev.weblocks.agent.DeterministicDriver", "java.lang.Thread"));
  }
}
