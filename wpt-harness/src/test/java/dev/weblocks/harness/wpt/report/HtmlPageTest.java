package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.report.Comparison.Column;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;

class HtmlPageTest {

  private static Document page(RunReport run) {
    return Jsoup.parse(HtmlPage.ofRun(Comparison.ofSelected(List.of(new Column("weblocks", run)))));
  }

  private static Comparison pair() {
    RunReport other =
        Runs.of(
            List.of(
                Runs.test("/d/a.html?v", "OK", Runs.pass("passes"), Runs.pass("wrong")),
                Runs.test("/x/y.html", "OK", Runs.pass("z"))));
    return Comparison.ofAll(List.of(new Column("ours", Runs.mixed()), new Column("theirs", other)));
  }

  @Test
  void tests_are_listed_below_their_directories_with_counts() {
    Document page = page(Runs.mixed());

    assertEquals(
        List.of("d 2/5", "d/e 0/1", "All 2/6"), page.select("table.numbers tr:has(td)").eachText());
    assertEquals(
        List.of("2 of 5 pass, 1 test", "0 of 1 pass, 1 test"),
        page.select(".directory .sum").eachText());
    assertEquals("5 results not as expected", page.select(".verdict").text());
    Element test = page.select(".directory details.test").first();
    assertEquals("a.html?v", test.select(".name").text());
    assertEquals("unexpected failing", test.attr("data-is"));
    assertTrue(test.hasAttr("open"));
    assertEquals(
        List.of("PASS", "FAIL", "PASS", "TIMEOUT", "FAIL", "MISSING"),
        test.select("td.status").eachText());
    assertEquals("expected: it is known", test.select("tr:has(th:contains(known)) .remark").text());
    assertEquals(List.of("so it is", "too slow", "is wrong"), test.select("pre").eachText());
  }

  @Test
  void hostile_text_creates_no_element() {
    Document page = page(Runs.hostile());

    assertEquals(1, page.select("script").size());
    assertEquals(0, page.select("img, [onerror]").size());
    String message = page.select(".test table pre").first().wholeText();
    assertEquals(
        "a # TODO </script><img src=x onerror='y'>\"&]]> \nU+000d\t\\ U+0000U+001b[31mU+0085"
            + "U+202eU+fffe U+d800 \ud83d\ude00",
        message);
  }

  @Test
  void page_is_self_contained_and_forbids_other_scripts() throws Exception {
    Document page = page(Runs.mixed());

    assertEquals(0, page.select("link, [src], a[href]:not([href^=#]), base, iframe").size());
    assertFalse(page.select("style").html().contains("url("));
    byte[] script = page.select("script").first().data().getBytes(StandardCharsets.UTF_8);
    String hash =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(script));
    assertEquals(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + hash + "'",
        page.select("meta[http-equiv=Content-Security-Policy]").attr("content"));
  }

  @Test
  void controls_that_need_script_are_hidden_without_script() {
    assertTrue(page(Runs.mixed()).select("form.filter").hasAttr("hidden"));
    assertEquals(0, page(Runs.mixed()).select("main > :not(form)[hidden]").size());
  }

  @Test
  void interrupted_run_shows_its_progress_and_remaining_tests() {
    Document page = page(Runs.interrupted());

    assertEquals("interrupted: 1 test ran, 1 did not", page.select(".verdict.bad").text());
    assertEquals(
        "/d/b.html the run was interrupted",
        page.select("h2:contains(Not run) + details tbody tr").text());
  }

  @Test
  void page_of_an_empty_run_is_valid() {
    assertEquals("No test ran", page(Runs.empty()).select(".verdict").text());
  }

  @Test
  void other_reports_are_shown_as_columns() {
    Document page = Jsoup.parse(HtmlPage.ofRun(pair()));

    assertEquals(
        List.of("d 2/5 2/2", "d/e 0/1 –", "x – 1/1", "All 2/6 3/3"),
        page.select("table.numbers tr:has(td)").eachText());
    Element wrong = page.select("#d0 tr:has(th:contains(wrong))").first();
    assertEquals(List.of("FAIL", "PASS"), wrong.select("td").eachText());
    assertEquals(
        List.of("failing", "differing"),
        page.select("button[data-show]").eachAttr("data-show").subList(2, 4));
  }

  @Test
  void a_page_about_a_comparison_lists_the_differences() {
    Document page = Jsoup.parse(HtmlPage.ofComparison(pair()));

    assertEquals("1 regression, 0 wins", page.select(".verdict").text());
    assertEquals(
        "wrong FAIL PASS",
        page.select("h2:contains(Regressions) ~ details").first().select("tr:has(td)").text());
    assertEquals(
        List.of("/x/y.html", "/d/e/crash.html"),
        page.select("h2:contains(Missing) ~ details li").eachText());
    assertTrue(page.select("h1").text().contains("ours compared with theirs"));
  }
}
