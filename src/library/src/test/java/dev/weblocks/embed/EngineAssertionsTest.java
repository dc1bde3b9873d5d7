package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.OtherJvm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.graalvm.polyglot.Context;
import org.junit.jupiter.api.Test;

/** A JVM with assertions for all classes, as build tools start it for tests. */
class EngineAssertionsTest {

  @Test
  void context_with_assertions_for_all_classes_gets_a_lock() throws Exception {
    List<String> command =
        OtherJvm.command(
            List.of("@scripts/jvm.options", "-ea", "-XX:TieredStopAtLevel=1"), Locks.class);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("granted\n", output.replace("\r\n", "\n"));
    assertEquals(0, process.waitFor());
  }

  /** Takes a lock in an installed context. */
  static final class Locks {
    public static void main(String[] arguments) {
      try (UserAgent userAgent =
              UserAgent.newBuilder()
                  .consoleListener(message -> System.out.println(message.text()))
                  .build();
          Context context =
              Context.newBuilder("js").option("js.unhandled-rejections", "handler").build();
          CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
        context.eval("js", "navigator.locks.request('a', () => console.log('granted'))");
        installation.runUntilIdle();
      }
    }
  }
}
