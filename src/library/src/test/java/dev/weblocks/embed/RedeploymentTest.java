package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.testing.OtherJvm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Applications that an application server deploys, each with a class loader, and drops. */
class RedeploymentTest {

  private static final List<String> FLAGS =
      List.of("@scripts/jvm.options", "-XX:SoftRefLRUPolicyMSPerMB=0", "-XX:TieredStopAtLevel=1");

  /** In another JVM, as the threads of the JDK start once in each. */
  @Test
  void applications_are_collected_after_they_were_dropped() throws Exception {
    List<String> command = OtherJvm.command(FLAGS, Deployments.class);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("", output);
    assertEquals(0, process.waitFor());
  }
}
