package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Proves that a run uses the optimising compiler; {@code scripts/test --jit} checks that this test
 * has run.
 */
@Tag("optimising")
class OptimisingRuntimeTest {
  @Test
  void engine_does_not_only_interpret() {
    try (Engine engine = Engine.create("js")) {
      assertNotEquals("Interpreted", engine.getImplementationName());
    }
  }

  @Test
  void hot_function_of_script_is_compiled() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try (Engine engine =
            Engine.newBuilder("js")
                .allowExperimentalOptions(true)
                .option("engine.BackgroundCompilation", "false")
                .option("engine.CompilationFailureAction", "Throw")
                .option("engine.TraceCompilation", "true")
                .logHandler(log)
                .build();
        Context context = Context.newBuilder("js").engine(engine).build()) {
      int sum =
          context
              .eval(
                  "js",
                  """
                  function hot(n) { return n % 7; }
                  let sum = 0;
                  for (let i = 0; i < 100_000; i++) sum += hot(i);
                  sum;
                  """)
              .asInt();
      assertEquals(299_995, sum);
    }
    String said = log.toString(StandardCharsets.UTF_8);
    assertTrue(
        said.lines().anyMatch(line -> line.contains("opt done") && line.contains(" hot ")), said);
  }
}
