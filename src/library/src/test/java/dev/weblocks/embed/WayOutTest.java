package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.binding.Resources;
import dev.weblocks.testing.TestSize;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Script that was given no object of Java gets none, even with full host access. */
@Tag("overflow")
class WayOutTest {

  @Test
  void script_that_overflows_its_stack_catches_no_java_object() {
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .errorListener(error -> {})
                .build();
        Context context =
            Context.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .allowHostAccess(HostAccess.ALL)
                .build();
        CallerDrivenInstallation installation = userAgent.installInto(context).install()) {
      Source script =
          Source.newBuilder("js", Resources.text(WayOutTest.class, "way-out.js"), "way-out.js")
              .buildLiteral();
      int rounds = TestSize.of(1, 5), members = TestSize.of(2, 9);
      assertEquals("none", context.eval(script).execute(rounds, members).asString());
      installation.runUntilIdle();
    }
  }
}
