package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.model.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The list of variants, and scenarios under several of them. */
class VariantsCommandTest extends CliBed {

  private int variants(String... args) {
    forget();
    String[] all = new String[args.length + 1];
    all[0] = "variants";
    System.arraycopy(args, 0, all, 1, args.length);
    return Main.run(cli(), environment(dir, "console.log('input')"), all);
  }

  @Test
  void table_lists_each_variant_and_then_each_set_of_variants() {
    assertEquals(0, variants(), this::err);
    List<String> lines = out().lines().toList();
    int line = 0;
    for (Variant each : Variant.values()) {
      assertTrue(lines.get(line).startsWith(each.id() + "  "), lines.get(line));
      assertTrue(lines.get(line).endsWith("  " + each.title()), lines.get(line));
      line++;
    }
    assertEquals("", lines.get(line));
    assertTrue(out().contains("\nnode        settle-at-once, callback-inside-request,"), this::out);
    assertTrue(out().contains("\ndeno        settle-at-once, callback-inside-request,"), this::out);
    assertTrue(out().contains("\nnone        The Working Draft"), this::out);
  }

  @Test
  void single_variant_is_shown_with_its_change_origin_and_exclusions() {
    assertEquals(0, variants("settle-at-once"), this::err);
    assertTrue(
        out()
            .startsWith(
                """
                settle-at-once: A request settles in the same microtask as the promise of its callback

                changes     2.4, when the waiting promise settles, step 2. The draft resolves
                            the\
                """),
        this::out);
    assertTrue(out().contains("\ncomes from  w3c/web-locks issue 108"), this::out);
    assertTrue(out().contains("\nnot with    early-draft, settle-before-grant\n"), this::out);
    assertTrue(out().endsWith("\nin sets     node, deno\n"), this::out);
    assertTrue(out().lines().skip(1).allMatch(line -> line.length() <= 80), this::out);
  }

  @Test
  void set_of_variants_is_shown_as_a_table() {
    assertEquals(0, variants("deno"), this::err);
    assertEquals(Variant.sets().get("deno").size(), out().lines().count());
    assertTrue(out().contains("if-available-joins-queue  ifAvailable checks"), this::out);
  }

  @Test
  void scenario_without_differences_gives_exit_code_0() {
    assertEquals(
        0,
        variants("compare", "--variants", "none,stolen-error,deno", "-e", "console.log(1)"),
        this::err);
    String[] parts = out().split("\n\n", 0);
    assertEquals(2, parts.length, this::out);
    assertTrue(
        parts[0].startsWith("- none   + stolen-error   seed 1\noutput: the same, 1 line\n"),
        this::out);
    assertTrue(parts[0].contains("\nlocks at the end: the same, 0 lines\n"), this::out);
    assertTrue(parts[1].startsWith("- none   + deno   seed 1\n"), this::out);
    assertEquals("", err());
  }

  @Test
  void differing_lines_are_shown_with_exit_code_1() throws IOException {
    Files.writeString(
        dir.resolve("a.js"),
        "console.log('begin');"
            + "navigator.locks.request('a', () => {}).then(() => console.log('settled'));"
            + "navigator.locks.request('a', () => console.log('next'));");
    assertEquals(1, variants("compare", "--variants=settle-before-grant", "a.js"), this::err);
    assertTrue(
        out()
            .startsWith(
                """
                - none   + settle-before-grant   seed 1
                output: 3 lines and 3 lines
                   1   1    begin
                   2      - next
                   3   2    settled
                       3  + next
                locks at the end: the same, 0 lines
                steps:\
                """),
        this::out);
    assertTrue(out().matches("(?s).*\n +\\d+ {4,}- lock effect +lock task queue +.*"), this::out);
    assertFalse(out().matches("(?s).*[0-9a-f]{8}-[0-9a-f]{4}.*"), "ids of clients are numbered");
    String first = out();
    assertEquals(1, variants("compare", "--variants=settle-before-grant", "a.js"), this::err);
    assertEquals(first, out(), "the same seed shows the same");
  }

  @Test
  void variants_can_be_combined_on_one_side_and_remaining_locks_are_shown() throws IOException {
    Files.writeString(
        dir.resolve("a.js"),
        "navigator.locks.request('a', () => { throw new Error('mine'); }).catch(e =>"
            + " console.log(e.message));");
    assertEquals(
        1,
        variants("compare", "--variants", "none,throw-keeps-lock+stolen-error", "--seed=7", "a.js"),
        this::err);
    assertTrue(out().startsWith("- none   + throw-keeps-lock+stolen-error   seed 7\n"), this::out);
    assertTrue(out().contains("\noutput: the same, 1 line\n"), this::out);
    assertTrue(out().contains("\nlocks at the end: 0 lines and 2 lines\n"), this::out);
    assertTrue(out().contains("  + a     exclusive  held   a.js"), this::out);
  }

  @Test
  void compared_output_includes_errors_and_agent_names() {
    assertEquals(
        1,
        variants(
            "compare",
            "--variants=none,callback-less",
            "--agents=2",
            "-e",
            "navigator.locks.request('a').then(l => l.release())"),
        this::err);
    assertTrue(out().contains("- [[eval]#1] Uncaught (in promise) TypeError"), this::out);
    assertTrue(out().contains("- [[eval]#2] Uncaught (in promise) TypeError"), this::out);
  }

  @Test
  void program_from_standard_input_is_compared_by_default() {
    assertEquals(0, variants("compare", "--variants=own-client-ids"), this::err);
    assertTrue(out().contains("output: the same, 1 line\n"), this::out);
  }

  @Test
  void endless_run_is_cut_off_with_a_message() {
    assertEquals(
        0,
        variants(
            "compare",
            "--variants=stolen-error",
            "--steps=500",
            "-e",
            "setInterval(() => console.log('beat'), 10)"),
        this::err);
    assertTrue(out().contains("\nnone was ended after 500 steps (--steps)\n"), this::out);
    assertTrue(out().contains("\nstolen-error was ended after 500 steps (--steps)\n"), this::out);
    assertTrue(out().endsWith("\nsteps: the same, 500 lines\n"), this::out);
  }

  @Test
  void context_lines_can_be_omitted() {
    String script = "console.log(1);" + "console.log(2);".repeat(9) + "request = () => {};";
    assertEquals(
        1,
        variants(
            "compare",
            "--variants=none,callback-less",
            "--context=0",
            "-e",
            script + "console.log(typeof ReleasableLock)"),
        this::err);
    assertTrue(
        out()
            .contains(
                """
                output: 11 lines and 11 lines
                          …
                  11      - undefined
                      11  + function
                """),
        this::out);
  }
}
