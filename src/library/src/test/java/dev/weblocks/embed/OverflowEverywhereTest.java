package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.OtherJvm;
import dev.weblocks.testing.TestSize;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A script that overflows the stack in a feature of the engine breaks it for no other engine. Runs
 * in a JVM of its own, which a failure breaks.
 */
@Tag("overflow")
@Tag("interpreting") // on the compiler, an overflow can lock the queue of compilations: SECURITY.md
class OverflowEverywhereTest {

  @Test
  void overflow_in_any_feature_leaves_it_usable_in_other_engines() throws Exception {
    List<String> command =
        OtherJvm.command(
            List.of("@scripts/jvm.options", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            EveryFeature.Overflow.class,
            Integer.toString(TestSize.of(20, 1)),
            Integer.toString(TestSize.of(60, 100)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    boolean ended = process.waitFor(20, TimeUnit.MINUTES); // the output fits into the pipe
    if (!ended) {
      process.destroyForcibly();
    }
    assertTrue(ended, "an engine waits for a lock that the script has left locked");
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("all used\n", output.replace("\r\n", "\n"));
    assertEquals(0, process.exitValue());
  }
}
