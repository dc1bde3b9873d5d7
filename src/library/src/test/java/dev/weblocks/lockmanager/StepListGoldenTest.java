package dev.weblocks.lockmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.lockmanager.StepComments.Home;
import dev.weblocks.lockmanager.WorkingDraftSteps.Algorithm;
import dev.weblocks.lockmanager.earlydraft.DraftStep;
import dev.weblocks.lockmanager.message.NamedStep;
import dev.weblocks.lockmanager.message.SpecStep;
import dev.weblocks.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The check that each step of both drafts has exactly one home, a method that implements it; {@code
 * docs/STEPS.md} lists them.
 */
class StepListGoldenTest {

  private static final Path SOURCES = Path.of("src/library/src/main/java");

  private static List<String> problems(List<Algorithm> algorithms, List<Home> homes) {
    List<String> problems = new ArrayList<>();
    for (Algorithm algorithm : algorithms) {
      Map<String, List<Home>> found = homesOf(algorithm, homes);
      for (String step : algorithm.steps().keySet()) {
        List<Home> of = found.getOrDefault(step, List.of());
        if (of.size() != 1) {
          problems.add(
              titleOf(algorithm, algorithm.name())
                  + ", step "
                  + step
                  + (of.isEmpty()
                      ? " has no home"
                      : " has several homes: "
                          + of.stream().map(Home::place).collect(Collectors.joining(", "))));
        }
      }
      found.forEach((step, of) -> {
        if (!algorithm.steps().containsKey(step) && !step.equals(WorkingDraftSteps.WHOLE)) {
          problems.add(of.getFirst().place() + " names step " + step + ", which there is not");
        }
      });
    }
    return problems;
  }

  /** Returns the name of an algorithm after the number of its section, if it has one. */
  private static String titleOf(Algorithm algorithm, String name) {
    return algorithm.section().equals("-") ? name : algorithm.section() + " " + name;
  }

  private static Map<String, List<Home>> homesOf(Algorithm algorithm, List<Home> homes) {
    return homes.stream()
        .filter(home -> home.anchor().equals(algorithm.anchor()))
        .collect(Collectors.groupingBy(Home::step, LinkedHashMap::new, Collectors.toList()));
  }

  private static Set<String> anchors(List<Algorithm> algorithms) {
    return algorithms.stream().map(Algorithm::anchor).collect(Collectors.toSet());
  }

  private static final String ABOVE_THE_WORKING_DRAFT =
      """
      # Where each step of the draft is done

      After reading this you can find the method for each step of the drafts: sections 2 to 4 of the
      [Working Draft of 24 September 2025](https://www.w3.org/TR/2025/WD-web-locks-20250924/), and the
      [early draft](#where-each-step-of-the-early-draft-is-done). The words for the steps are ours.

      `StepListGoldenTest` generates this list from comments with step numbers, in methods below the link of an algorithm.
      It fails if a step has no method or two. `scripts/rebaseline` rewrites this file.
      """;

  private static final String ABOVE_THE_EARLY_DRAFT =
      """

      # Where each step of the early draft is done

      The same for the [early draft](EARLY-DRAFT.md), which has locks on sets of names. Its methods are below the heading of
      an algorithm.
      """;

  private static String page(String above, List<Algorithm> algorithms, List<Home> homes) {
    StringBuilder page = new StringBuilder(above);
    for (Algorithm algorithm : algorithms) {
      page.append("\n## ")
          .append(titleOf(algorithm, "[" + algorithm.name() + "](" + algorithm.link() + ")"))
          .append("\n\n| step | | done by |\n| --- | --- | --- |\n");
      Map<String, List<Home>> found = homesOf(algorithm, homes);
      algorithm
          .steps()
          .forEach((step, what) -> {
            page.append("| ")
                .append(step.equals(WorkingDraftSteps.WHOLE) ? "" : step)
                .append(" | ")
                .append(what)
                .append(" | ");
            for (Home home : found.getOrDefault(step, List.of())) {
              page.append("[`")
                  .append(home.method())
                  .append("`](../")
                  .append(home.file())
                  .append(")");
              if (!home.asserted().isEmpty()) {
                page.append(", asserted by ").append(home.asserted());
              }
            }
            page.append(" |\n");
          });
    }
    return page.toString();
  }

  @Test
  void each_step_of_either_draft_has_exactly_one_comment() throws IOException {
    List<Algorithm> algorithms = WorkingDraftSteps.algorithms();
    assertEquals(16, algorithms.size());
    List<Home> homes = StepComments.homes(SOURCES, StepComments.WORKING_DRAFT, anchors(algorithms));
    assertEquals(List.of(), problems(algorithms, homes));
    List<Algorithm> early = EarlyDraftSteps.algorithms();
    assertEquals(8, early.size());
    List<Home> earlyHomes = StepComments.homes(SOURCES, StepComments.EARLY_DRAFT, anchors(early));
    assertEquals(List.of(), problems(early, earlyHomes));
    Golden.checkFile(
        Path.of("docs/STEPS.md"),
        page(ABOVE_THE_WORKING_DRAFT, algorithms, homes)
            + page(ABOVE_THE_EARLY_DRAFT, early, earlyHomes));
  }

  @Test
  void each_step_named_by_traces_exists_in_its_draft() throws IOException {
    List<Algorithm> algorithms = WorkingDraftSteps.algorithms();
    for (SpecStep step : SpecStep.values()) {
      assertEquals(namedIn(algorithms, step).section(), step.place().section(), step::toString);
    }
    List<Algorithm> early = EarlyDraftSteps.algorithms();
    for (DraftStep step : DraftStep.values()) {
      assertEquals("-", namedIn(early, step).section(), step::toString);
    }
  }

  private static Algorithm namedIn(List<Algorithm> algorithms, NamedStep step) {
    Algorithm found =
        algorithms.stream()
            .filter(each -> each.link().equals(step.place().link()))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no algorithm for " + step));
    assertTrue(found.steps().containsKey(step.place().step()), step::toString);
    return found;
  }

  // ---- tests of the check ----------------------------------------------------------------------

  @TempDir Path dir;

  private static final List<Algorithm> SMALL =
      List.of(
          new Algorithm(
              WorkingDraftSteps.DRAFT,
              "9.9",
              "small",
              "do it",
              steps("1", "2", "2.1", "2.2", "3")));

  private static Map<String, String> steps(String... paths) {
    Map<String, String> steps = new LinkedHashMap<>();
    for (String path : paths) {
      steps.put(path, "what " + path + " does");
    }
    return steps;
  }

  private List<Home> homesIn(String body) throws IOException {
    Files.writeString(
        dir.resolve("A.java"),
        "class A {\n" + body.replace("LINK", SMALL.getFirst().link()) + "\n}");
    return StepComments.homes(dir, StepComments.WORKING_DRAFT, Set.of("small"));
  }

  @Test
  void steps_are_read_from_comments_in_methods_linked_to_the_draft() throws IOException {
    List<Home> homes =
        homesIn(
            """
            // LINK
            void one() {
              String text = "// 3"; // 2; 1 is asserted by others
              int i = 0; // 2.1 and 2.2: both
            }

            /**
             * Two.
             *
             * @see <a href="LINK">here</a>
             */
            void two() {
              // 3. at last
            }

            // 7 tabs, of which nobody knows
            void three() {
              // 2
            }
            """);
    assertEquals(List.of(), problems(SMALL, homes));
    Home asserted =
        homes.stream().filter(home -> home.step().equals("1")).findFirst().orElseThrow();
    assertEquals("others", asserted.asserted());
    assertEquals("A.one", asserted.method());
    assertTrue(asserted.place().endsWith("A.java:4"), asserted::place);
    String page = page("", SMALL, homes);
    assertTrue(page.contains("| 3 | what 3 does | [`A.two`]("), page);
  }

  @Test
  void steps_of_the_early_draft_are_read_below_its_headings() throws IOException {
    Files.writeString(
        dir.resolve("B.java"),
        """
        class B {
          // Early draft, "Algorithm: do it (or not)", steps run in parallel
          void one() {
            // 1 to 3
          }

          // Early draft, "Another"
          void two() {
            // 4
          }
        }
        """);
    List<Home> homes =
        StepComments.homes(dir, StepComments.EARLY_DRAFT, Set.of("algorithm-do-it-or-not"));
    assertEquals(
        List.of("-", "1", "2", "3"), homes.stream().map(Home::step).toList(), homes::toString);
    assertEquals("B.one", homes.getLast().method());
  }

  @Test
  void missing_duplicate_and_unknown_steps_are_reported() throws IOException {
    List<Home> homes =
        homesIn(
            """
            // LINK
            void one() {
              // 1 to 3
              // 2.1
              // 2.9
            }

            // LINK
            void two() {
              // 2.1.
            }
            """);
    List<String> problems = problems(SMALL, homes);
    assertEquals(3, problems.size(), problems::toString);
    assertTrue(problems.get(0).startsWith("9.9 do it, step 2.1 has several homes: "));
    assertEquals("9.9 do it, step 2.2 has no home", problems.get(1));
    assertTrue(problems.get(2).endsWith("A.java:6 names step 2.9, which there is not"));
  }

  @Test
  void lists_and_ranges_of_steps_are_expanded() {
    assertEquals(List.of("3.1"), StepComments.expanded("3.1"));
    assertEquals(List.of("2.3", "2.4", "2.5", "2.12"), StepComments.expanded("2.3 to 2.5, 2.12"));
    assertEquals(List.of("2.14.2", "2.14.3"), StepComments.expanded("2.14.2. and 2.14.3."));
    assertEquals(List.of("1", "2", "3", "4"), StepComments.expanded("1. to 4."));
    assertEquals(
        List.of("2.11", "2.14.2", "2.14.3"), StepComments.expanded("2.11., 2.14.2. and 2.14.3."));
    assertThrows(IllegalStateException.class, () -> StepComments.expanded("2.9 to 3.1"));
  }
}
