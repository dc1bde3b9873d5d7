package dev.weblocks.harness.differ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Statement;
import dev.weblocks.harness.differ.model.Statement.Key;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

  private static boolean steals(Program program) {
    return program.statements().stream()
        .anyMatch(each ->
            each instanceof Statement.Request request
                && request.options().members().stream()
                    .anyMatch(member -> member.key() == Key.STEAL));
  }

  @Test
  void smallest_program_has_only_the_statement_that_matters() {
    int shrunk = 0;
    for (long seed = 0; seed < 100; seed++) {
      Program program = ProgramGenerator.generate(seed);
      if (steals(program)) {
        shrunk++;
        Program smallest = Shrinker.shrink(program, ShrinkerTest::steals, 1_000);
        assertEquals(1, smallest.statements().size(), smallest::toString);
        assertTrue(smallest.realms().size() <= 2, smallest::toString);
      }
    }
    assertTrue(shrunk > 20, "only " + shrunk);
  }

  @Test
  void number_of_runs_is_bounded() {
    AtomicInteger runs = new AtomicInteger();
    Program unused =
        Shrinker.shrink(
            ProgramGenerator.generate(1),
            program -> {
              runs.incrementAndGet();
              return false;
            },
            5);
    assertEquals(5, runs.get());
  }
}
