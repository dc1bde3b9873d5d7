package dev.weblocks.harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.FakeBrowser;
import dev.weblocks.harness.wpt.MiniatureWpt;
import dev.weblocks.model.Variant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options of {@code weblocks wpt} for the selection, repetition, order and end of tests. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WptOptionsTest extends CliBed {

  private final List<String> opened = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void writeTests() {
    wpt.file("area/a.any.js", "")
        .file("area/b.any.js", "// META: variant=?1-2", "// META: variant=?3-last")
        .file("other/c.any.js", "// META: global=sharedworker,window");
    script = this::passing;
  }

  private void passing(FakeBrowser.Page page) {
    opened.add(page.url.replaceFirst("https?://[^/]*", ""));
    page.complete(0, FakeBrowser.Page.subtest("it works", 0, ""));
  }

  private void failing(FakeBrowser.Page page) {
    opened.add(page.url.replaceFirst("https?://[^/]*", ""));
    page.complete(0, FakeBrowser.Page.subtest("it works", 1, ""));
  }

  private List<String> listed(String... args) {
    List<String> all = new ArrayList<>(List.of("wpt", "--list"));
    all.addAll(List.of(args));
    forget();
    assertEquals(0, run(all.toArray(String[]::new)), this::err);
    return out().lines().toList();
  }

  @Test
  void tests_are_chosen_by_glob_regular_expression_variant_and_exclusion() {
    assertEquals(
        List.of("/area/a.any.worker.html", "/area/b.any.worker.html?1-2"),
        listed("*/*.worker.html", "area/b.any.worker.html?1-2"));
    assertEquals(
        List.of("/area/b.any.html?3-last", "/area/b.any.worker.html?3-last"),
        listed("--filter", "[?]3"));
    assertEquals(
        List.of("/area/b.any.worker.html?3-last"),
        listed("--filter", "[?]3", "--filter", "worker"));
    assertEquals(List.of("/other/c.any.sharedworker.html"), listed("--variant", "sharedworker"));
    assertEquals(
        List.of("/area/b.any.html?1-2", "/area/b.any.worker.html?1-2"),
        listed("--variant", "?1-2"));
    assertEquals(
        List.of("/area/a.any.html", "/area/a.any.worker.html"),
        listed("area", "--exclude", "area/b.*"));
  }

  @Test
  void named_test_that_cannot_be_read_gives_status_2_after_the_others() throws Exception {
    Files.createSymbolicLink(dir.resolve("wpt/area/gone.html"), Path.of("nowhere"));
    Files.createSymbolicLink(dir.resolve("wpt/other/loop.any.js"), Path.of("loop.any.js"));
    String gone =
        "weblocks: /area/gone.html cannot be read: the symbolic link leads to a file that does not"
            + " exist";

    assertEquals(0, run("wpt", "area", "other/*.js", "--jobs=1"), this::err);
    assertFalse(err().contains("gone"), this::err);
    assertTrue(out().contains("Not supported: 2 (unreadable file 2)"), this::out);
    opened.clear();
    forget();

    assertEquals(2, run("wpt", "area/gone.html", "area/a.any.js", "other", "--jobs=1"));
    assertTrue(err().endsWith(gone + "\n"), this::err);
    assertEquals(
        List.of(
            "/area/a.any.html",
            "/area/a.any.worker.html",
            "/other/c.any.html",
            "/other/c.any.sharedworker.html"),
        opened);
    assertTrue(out().contains("All as expected"), this::out);
    forget();

    assertEquals(2, run("wpt", "--list", "./area/gone.html", "other/loop.any.js"));
    assertTrue(err().contains(gone + "; /other/loop.any.js cannot be read: "), this::err);
  }

  @Test
  void spec_variant_option_sets_variants_of_the_browser_and_selects_no_tests() {
    assertEquals(
        0,
        run("wpt", "area/a.any.html", "--spec-variant", "deno", "--spec-variant=stolen-error"),
        this::err);
    Set<Variant> expected = EnumSet.copyOf(Variant.sets().get("deno"));
    expected.add(Variant.STOLEN_ERROR);
    assertEquals(expected, variantsOfBrowser);
    assertEquals(List.of("/area/a.any.html"), opened);
    assertEquals(0, run("wpt", "area/a.any.html"), this::err);
    assertEquals(Set.of(), variantsOfBrowser);
  }

  @Test
  void selection_without_tests_is_an_error_that_names_it() {
    assertFails(
        "no test matches 'x/**'; --list shows all; only a part of WPT is fetched: name a checkout"
            + " with --wpt to run its other tests",
        "wpt",
        "x/**");
    assertFails(
        "--exclude other matches none of these tests; --list shows them",
        "wpt",
        "area",
        "--exclude",
        "other");
    assertFails(
        "--filter zzz matches no id of these tests; --list shows them", "wpt", "--filter", "zzz");
    assertFails(
        "none of these tests has the variant 'sharedworkr'; variants are, for example:"
            + " sharedworker",
        "wpt",
        "--variant",
        "sharedworkr");
    assertFails(
        "none of these tests has the variant '?9'; variants are, for example: dedicatedworker,"
            + " window",
        "wpt",
        "area/a.any.js",
        "--variant",
        "?9");
    assertFails(
        "the options exclude all tests of these paths; --list shows them",
        "wpt",
        "area",
        "--exclude",
        "area");
    assertEquals(2, run("wpt", "area/{a"));
    assertTrue(err().contains("'area/{a' is not a pattern: "), this::err);
    forget();
    assertEquals(2, run("wpt", "--filter", "(x"));
    assertTrue(err().contains("--filter '(x'"), this::err);
    assertEquals(1, err().lines().count());
  }

  @Test
  void invalid_combinations_of_options_are_refused() {
    String help = " (weblocks wpt --help)";
    assertFails(
        "--spec-variant: unknown variant 'nodee'; did you mean node?" + help,
        "wpt",
        "--spec-variant",
        "nodee");
    assertFails(
        "--update-expectations is for the Working Draft: leave --spec-variant out" + help,
        "wpt",
        "--spec-variant",
        "node",
        "--update-expectations");
    assertFails(
        "--repeat is 0: a number from 1 to 1000000 is needed" + help, "wpt", "--repeat", "0");
    assertFails("--seed needs --shuffle or --deterministic" + help, "wpt", "--seed", "1");
    assertFails(
        "--allow-net and --deterministic exclude each other: responses of a network have no fixed"
            + " order"
            + help,
        "wpt",
        "--deterministic",
        "--allow-net");
    assertFails("--watch and --repeat exclude each other" + help, "wpt", "--watch", "--repeat=2");
    assertFails(
        "--serial means --jobs 1, but --jobs is 3: leave one of them out" + help,
        "wpt",
        "--serial",
        "--jobs=3");
    assertFails(
        "--timeout-multiplier is -1: a number from 0.001 to 10000 is needed" + help,
        "wpt",
        "--timeout-multiplier",
        "-1");
  }

  @Test
  void tests_of_the_user_replace_those_of_wpt_and_have_no_expectations() {
    MiniatureWpt own = new MiniatureWpt(dir.resolve("own"));
    own.file("mine/d.any.js", "").file("area/a.any.js", "// META: global=sharedworker");
    String tests = dir.resolve("own").toString();

    assertEquals(
        List.of("/area/a.any.sharedworker.html", "/mine/d.any.html", "/mine/d.any.worker.html"),
        listed("--tests", tests));
    assertEquals(0, run("wpt", "--tests", tests, "mine/d.any.html"), this::err);
    assertEquals(List.of("/mine/d.any.html"), opened);
    forget();
    assertFails("unknown test 'other/'; --list shows all", "wpt", "--tests", tests, "other/");
    assertFails(
        "tests of --tests have no expectations: leave --tests or --update-expectations out"
            + " (weblocks wpt --help)",
        "wpt",
        "--tests",
        tests,
        "--update-expectations");
  }

  @Test
  void option_repeat_reports_results_that_differ() {
    AtomicInteger count = new AtomicInteger();
    script =
        page -> {
          if (count.incrementAndGet() == 2) {
            failing(page);
          } else {
            passing(page);
          }
        };

    assertEquals(1, run("wpt", "area/a.any.html", "--repeat", "3"));

    assertEquals(3, opened.size());
    assertTrue(out().startsWith("Round 1 of 3\nTests: 1 (OK 1)\n"), this::out);
    assertTrue(
        out()
            .endsWith(
                """

                Results that differ between the 3 rounds:
                  /area/a.any.html
                    FAIL 1, PASS 2  it works
                """),
        this::out);
  }

  @Test
  void option_repeat_until_unexpected_stops_at_the_first_unexpected_result() {
    AtomicInteger count = new AtomicInteger();
    script =
        page -> {
          if (count.incrementAndGet() == 4) {
            failing(page);
          } else {
            passing(page);
          }
        };

    assertEquals(1, run("wpt", "area/a.any.html", "--until-unexpected"));
    assertEquals(4, opened.size());

    script = this::passing;
    opened.clear();
    forget();
    assertEquals(0, run("wpt", "area/a.any.html", "--until-unexpected", "--repeat", "5"));
    assertEquals(5, opened.size());
    assertTrue(out().endsWith("\n5 rounds, all with the same results\n"), this::out);
  }

  @Test
  void each_deterministic_round_prints_and_uses_the_next_seed() {
    assertEquals(
        0,
        run("wpt", "--deterministic", "--seed", "7", "--repeat", "2", "area/a.any.js"),
        this::err);
    assertTrue(out().startsWith("Round 1 of 2, deterministic with --seed 7\n"), this::out);
    assertTrue(out().contains("Round 2 of 2, deterministic with --seed 8\n"), this::out);
    assertEquals(List.of(7L, 7L, 8L, 8L), seeds);
    seeds.clear();
    forget();
    assertEquals(0, run("wpt", "--deterministic", "--shuffle", "area/a.any.html"), this::err);
    assertTrue(out().startsWith("Shuffled and deterministic with --seed 1\n"), this::out);
    assertEquals(List.of(1L), seeds);
  }

  @Test
  void shuffle_with_a_seed_is_reproducible_and_differs_per_round() {
    assertEquals(0, run("wpt", "--shuffle", "--seed", "7", "--serial", "--repeat", "2"));
    List<String> first = List.copyOf(opened);
    assertTrue(out().contains("Round 2 of 2, shuffled with --seed 8\n"), this::out);
    assertEquals(16, first.size());
    assertNotEquals(first.subList(0, 8), first.subList(8, 16));
    opened.clear();

    assertEquals(0, run("wpt", "--shuffle", "--seed", "8", "--serial"));

    assertEquals(first.subList(8, 16), opened);
  }

  @Test
  void option_fail_fast_starts_no_test_after_an_unexpected_result() {
    script = this::failing;

    assertEquals(1, run("wpt", "--fail-fast", "--serial"));

    assertEquals(1, opened.size());
    assertTrue(out().contains("\nNot run: 7\n"), this::out);
  }

  @Test
  void option_serial_runs_one_test_at_a_time() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    script =
        page -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          page.onClose = running::decrementAndGet;
          passing(page);
        };

    assertEquals(0, run("wpt", "--serial"));

    assertEquals(1, most.get());
  }

  @Test
  void jobs_run_concurrently() {
    List<FakeBrowser.Page> pages = new ArrayList<>();
    script =
        page -> {
          synchronized (pages) {
            pages.add(page);
            if (pages.size() == 2) {
              pages.forEach(this::passing);
            }
          }
        };

    assertEquals(0, run("wpt", "area/a.any.js", "--jobs", "2"), this::out);
  }

  @Test
  void option_verbose_shows_each_test_with_its_subtests_and_messages() {
    script =
        page ->
            page.complete(
                0,
                FakeBrowser.Page.subtest("it works", 0, ""),
                FakeBrowser.Page.subtest("it fails", 1, "because"));

    assertEquals(1, run("wpt", "area/a.any.html", "-v"));

    assertTrue(
        out()
            .replaceFirst("\\d+[.]\\d s", "TIME")
            .startsWith(
                """
                OK /area/a.any.html  TIME
                  PASS it works
                  FAIL it fails
                      because
                unexpected /area/a.any.html  OK, 1 deviation
                """),
        this::out);
  }

  @Test
  void page_text_cannot_control_the_terminal() {
    script =
        page ->
            page.complete(0, FakeBrowser.Page.subtest("\\u001b[31mred", 1, "\\u001b]0;t\\u0007"));

    assertEquals(1, run("wpt", "area/a.any.html", "-v"));

    assertFalse(out().contains("\u001b"), this::out);
    assertTrue(out().contains("U+001b[31mred"), this::out);
    assertTrue(out().contains("U+001b]0;tU+0007"), this::out);
  }

  @Test
  void option_watch_reruns_tests_after_a_change_and_survives_bad_files() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch third = new CountDownLatch(3);
    script =
        page -> {
          passing(page);
          first.countDown();
          third.countDown();
        };
    Path expectations = dir.resolve("wpt-subset/expectations/area");
    Files.createDirectories(expectations);
    Thread watching = new Thread(() -> run("wpt", "area/a.any.html", "--watch"));
    watching.start();
    first.await();

    wpt.file("area/a.any.js", "changed");
    while (third.getCount() > 1) {
      Thread.onSpinWait();
    }
    Files.writeString(expectations.resolve("a.any.js.json"), "{");
    while (!err().contains("a.any.js.json:1")) {
      Thread.onSpinWait();
    }
    Files.delete(expectations.resolve("a.any.js.json"));
    third.await();
    while (out().split("Waiting for a change", -1).length < 5) {
      Thread.onSpinWait();
    }
    watching.interrupt();
    watching.join();

    assertEquals(3, opened.size());
    assertTrue(out().contains("Changed: " + dir.resolve("wpt/area/a.any.js")), this::out);
    assertFalse(err().contains("internal error"), this::err);
  }
}
