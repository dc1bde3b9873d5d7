package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.report.Comparison.Absence;
import dev.weblocks.harness.wpt.report.Comparison.Column;
import dev.weblocks.harness.wpt.report.Comparison.Count;
import dev.weblocks.harness.wpt.report.Comparison.Difference;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A self-contained HTML page: the counts of each directory, each test with its subtests and
 * messages, and further reports as columns. The page works without JavaScript; its script adds
 * filters. A page about a comparison begins with the differences.
 */
public final class HtmlPage {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Map<String, String> FACTS = facts();
  private final Comparison comparison;
  private final Html html = new Html();

  private HtmlPage(Comparison comparison) {
    this.comparison = comparison;
  }

  /** Returns a page about our run; the other reports of the comparison are columns. */
  public static String ofRun(Comparison comparison) {
    HtmlPage page = new HtmlPage(comparison);
    page.write("WPT results of " + comparison.columns().getFirst().label(), false);
    return page.html.toString();
  }

  /** Returns a page about the differences between reports. */
  public static String ofComparison(Comparison comparison) {
    HtmlPage page = new HtmlPage(comparison);
    List<String> labels = comparison.columns().stream().map(Column::label).toList();
    page.write(
        "WPT results: %s compared with %s"
            .formatted(labels.getFirst(), String.join(", ", labels.subList(1, labels.size()))),
        true);
    return page.html.toString();
  }

  private static Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", "Product");
    facts.put("browser_version", "Version");
    facts.put("engine", "Engine");
    facts.put("java", "Java");
    facts.put("os", "System");
    facts.put("processor", "Processor");
    facts.put("revision", "Revision of the tests");
    return facts;
  }

  private RunReport ours() {
    return comparison.columns().getFirst().report();
  }

  private void write(String title, boolean differences) {
    html.begin(title);
    html.raw("<header>").element("h1", title);
    if (differences) {
      balance();
    } else {
      verdict();
    }
    runs();
    html.raw("</header>\n<main>\n");
    directories();
    if (differences) {
      lists();
    }
    tests();
    notRun();
    html.raw("</main>\n");
    html.end();
  }

  private void balance() {
    int regressions = comparison.regressions().size();
    int wins = comparison.wins().size();
    html.raw(regressions == 0 ? "<p class=\"verdict good\">" : "<p class=\"verdict bad\">")
        .text(
            (regressions == 0 ? "No regression" : HarmlessText.count(regressions, "regression"))
                + ", "
                + HarmlessText.count(wins, "win"))
        .raw("</p>\n");
    interruption();
  }

  private void verdict() {
    RunReport run = ours();
    long unexpected = run.unexpected();
    interruption();
    html.raw(unexpected == 0 ? "<p class=\"verdict good\">" : "<p class=\"verdict bad\">")
        .text(
            run.tests().isEmpty()
                ? "No test ran"
                : unexpected == 0
                    ? run.interrupted() ? "All as expected so far" : "All as expected"
                    : HarmlessText.count(unexpected, "result") + " not as expected")
        .raw("</p>\n");
  }

  private void interruption() {
    RunReport run = ours();
    if (run.interrupted()) {
      html.raw("<p class=\"verdict bad\">").text(run.howFar()).raw("</p>\n");
    }
  }

  private void runs() {
    html.raw("<div class=\"scroll\"><table class=\"facts\"><thead><tr><td></td>");
    comparison.columns().forEach(column -> html.head("col", column.label()));
    html.raw("</tr></thead><tbody>\n");
    FACTS.forEach((key, name) -> factRow(name, run -> run.info().getOrDefault(key, "")));
    factRow("Start", HtmlPage::start);
    factRow("Time taken", HtmlPage::taken);
    html.raw("</tbody></table></div>\n");
  }

  private void factRow(String name, Function<RunReport, String> fact) {
    List<String> values =
        comparison.columns().stream().map(column -> fact.apply(column.report())).toList();
    if (values.stream().allMatch(String::isEmpty)) {
      return;
    }
    html.raw("<tr>").head("row", name);
    values.forEach(value -> html.cell("", value));
    html.raw("</tr>\n");
  }

  private static String start(RunReport run) {
    return run.start() == null ? "" : TIME.format(run.start());
  }

  private static String taken(RunReport run) {
    return run.start() == null || run.end() == null
        ? ""
        : duration(Duration.between(run.start(), run.end()));
  }

  private static String duration(@Nullable Duration duration) {
    if (duration == null) {
      return "";
    }
    long millis = duration.toMillis();
    return millis < 60_000
        ? String.format(Locale.ROOT, "%.1f s", millis / 1000.0)
        : String.format(Locale.ROOT, "%d min %d s", duration.toMinutes(), duration.toSecondsPart());
  }

  private void directories() {
    html.raw("<h2 id=\"directories\">Directories</h2>\n<div class=\"scroll\">")
        .raw("<table class=\"numbers\"><caption>Subtests that pass</caption>")
        .raw("<thead><tr><th scope=\"col\">Directory</th>");
    comparison.columns().forEach(column -> html.head("col", column.label()));
    html.raw("<th scope=\"col\">Share here</th></tr></thead><tbody>\n");
    int number = 0;
    for (Map.Entry<String, List<Count>> each : comparison.directories().entrySet()) {
      html.raw("<tr><th scope=\"row\"><a href=\"#d" + number++ + "\">")
          .text(directoryName(each.getKey()))
          .raw("</a></th>");
      counts(each.getValue());
    }
    html.raw("</tbody><tfoot><tr>").head("row", "All");
    counts(comparison.totals());
    html.raw("</tfoot></table></div>\n");
  }

  private static String directoryName(String directory) {
    return directory.isEmpty() ? "/" : directory;
  }

  private void counts(List<Count> counts) {
    for (Count count : counts) {
      html.cell(
          count.total() == 0 ? "none" : count.passed() == count.total() ? "all" : "some",
          count.total() == 0 ? "–" : count.toString());
    }
    html.raw("<td>");
    bar(counts.getFirst());
    html.raw("</td></tr>\n");
  }

  private void bar(Count count) {
    double share = count.total() == 0 ? 0 : 100.0 * count.passed() / count.total();
    // Rounded down, so that only 100 % is shown as 100 %.
    String percent = String.format(Locale.ROOT, "%.1f", Math.floor(share * 10) / 10);
    html.raw("<span class=\"bar\" role=\"img\" aria-label=\"" + percent + " percent\">")
        .raw("<span style=\"width:" + percent + "%\"></span></span>");
  }

  private void lists() {
    String ours = comparison.columns().getFirst().label();
    differences(
        "Regressions",
        "Subtests that another report passes and " + ours + " does not.",
        comparison.regressions());
    differences(
        "Wins",
        "Subtests that " + ours + " passes and another report does not.",
        comparison.wins());
    differences(
        "Overall statuses",
        "Tests whose overall status differs, regardless of their subtests.",
        comparison.endings());
    html.raw("<h2>Missing</h2>\n");
    if (comparison.absences().isEmpty() && comparison.outside().isEmpty()) {
      html.element("p", "All reports have the same tests and subtests.");
    }
    comparison.absences().forEach(this::absence);
    comparison
        .outside()
        .forEach((label, count) ->
            html.element(
                "p",
                "%s has %s further %s that %s did not select."
                    .formatted(label, count, count == 1 ? "test" : "tests", ours)));
  }

  private void differences(String title, String meaning, List<Difference> differences) {
    html.element("h2", title).raw("<p>").text(meaning).raw("</p>\n");
    if (differences.isEmpty()) {
      html.element("p", "None.");
      return;
    }
    html.raw("<details" + (differences.size() <= 100 ? " open" : "") + "><summary>")
        .text(differences.size() == 1 ? "1 entry" : differences.size() + " entries")
        .raw("</summary><div class=\"scroll\"><table><thead><tr>")
        .raw("<th scope=\"col\">Test</th>");
    comparison.columns().forEach(column -> html.head("col", column.label()));
    html.raw("</tr></thead>\n");
    String last = null;
    for (Difference difference : differences) {
      if (!difference.test().equals(last) && difference.subtest() != null) {
        html.raw(last == null ? "<tbody>" : "</tbody><tbody>")
            .raw("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"")
            .raw(comparison.columns().size() + 1 + "\">")
            .text(difference.test())
            .raw("</th></tr>\n");
      } else if (!difference.test().equals(last)) {
        html.raw(last == null ? "<tbody>" : "</tbody><tbody>");
      }
      last = difference.test();
      html.raw("<tr>")
          .head("row", difference.subtest() == null ? difference.test() : difference.subtest());
      difference.statuses().forEach(status -> status(status, null));
      html.raw("</tr>\n");
    }
    html.raw("</tbody></table></div></details>\n");
  }

  private void absence(Absence absence) {
    String names = absence.absent().label() + " lacks these of " + absence.present().label() + ": ";
    String subtests =
        absence.subtests() == 0
            ? ""
            : HarmlessText.count(absence.subtests(), "subtest") + " of common tests";
    List<String> tests = absence.tests();
    if (tests.isEmpty()) {
      html.element("p", names + subtests + ".");
      return;
    }
    html.raw("<details><summary>")
        .text(
            names
                + HarmlessText.count(tests.size(), "test")
                + (subtests.isEmpty() ? "" : ", " + subtests))
        .raw("</summary><ul>\n");
    boolean missingHere = absence.absent() == comparison.columns().getFirst();
    for (String test : tests) {
      String why = missingHere ? comparison.whyNotRun(test) : null;
      html.element("li", why == null ? test : test + " (" + why + ")");
    }
    html.raw("</ul></details>\n");
  }

  private void tests() {
    html.raw("<h2 id=\"tests\">Tests</h2>\n");
    if (comparison.columns().size() > 1) {
      List<String> labels = comparison.columns().stream().map(Column::label).toList();
      html.raw("<p class=\"sum\">")
          .text("Beside each test: " + String.join(" · ", labels))
          .raw("</p>\n");
    }
    filter();
    Map<String, List<String>> byDirectory = new TreeMap<>();
    for (String key : comparison.keys()) {
      byDirectory
          .computeIfAbsent(RunReport.directory(key), directory -> new ArrayList<>())
          .add(key);
    }
    int number = 0;
    for (Map.Entry<String, List<String>> each : byDirectory.entrySet()) {
      Count count = comparison.count(each.getKey());
      html.raw("<section class=\"directory\" id=\"d" + number++ + "\"><h3>")
          .text(directoryName(each.getKey()))
          .raw("</h3><p class=\"sum\">");
      bar(count);
      html.text(
              " "
                  + count.passed()
                  + " of "
                  + count.total()
                  + " pass, "
                  + HarmlessText.count(each.getValue().size(), "test"))
          .raw("</p>\n");
      each.getValue().forEach(key -> test(each.getKey(), key));
      html.raw("</section>\n");
    }
  }

  private void filter() {
    html.raw(
        "<form class=\"filter\" hidden><label>Filter <input type=\"search\""
            + " placeholder=\"test, subtest or message\"></label>"
            + "<span role=\"group\" aria-label=\"Which tests\">"
            + "<button type=\"button\" data-show=\"\" aria-pressed=\"true\">All</button>"
            + "<button type=\"button\" data-show=\"unexpected\" aria-pressed=\"false\">"
            + "Unexpected</button>"
            + "<button type=\"button\" data-show=\"failing\" aria-pressed=\"false\">"
            + "Not passing</button>");
    if (comparison.columns().size() > 1) {
      html.raw(
          "<button type=\"button\" data-show=\"differing\" aria-pressed=\"false\">"
              + "Differing</button>");
    }
    html.raw("</span><output aria-live=\"polite\"></output></form>\n");
  }

  private void test(String directory, String key) {
    List<@Nullable Test> row = comparison.row(key);
    Test own = row.getFirst();
    List<Map<String, String>> statuses = row.stream().map(Comparison::statuses).toList();
    Map<String, @Nullable Subtest> subtests = new LinkedHashMap<>();
    if (own != null) {
      own.subtests().forEach(subtest -> subtests.put(subtest.name(), subtest));
    }
    statuses.forEach(each -> each.keySet().forEach(name -> subtests.putIfAbsent(name, null)));
    boolean unexpected = own != null && own.anyUnexpected();
    StringBuilder states = new StringBuilder();
    states.append(unexpected ? " unexpected" : "");
    states.append(own != null && !own.allPass() ? " failing" : "");
    states.append(differs(row, statuses) ? " differing" : "");
    html.raw("<details class=\"test\" data-is=\"" + states.toString().strip() + "\"")
        .raw(unexpected ? " open>" : ">")
        .raw("<summary>");
    mark(own);
    html.raw(" <span class=\"name\">")
        .text(directory.isEmpty() ? key : key.substring(directory.length() + 2))
        .raw("</span>");
    for (int i = 0; i < row.size(); i++) {
      chip(i, row.get(i));
    }
    html.raw("<span class=\"time\">")
        .text(own == null ? "" : duration(own.duration()))
        .raw("</span></summary>\n");
    for (int i = 0; i < row.size(); i++) {
      Test test = row.get(i);
      if (test != null && test.message() != null) {
        html.raw("<p>")
            .text(
                (row.size() > 1 ? comparison.columns().get(i).label() + ": " : "")
                    + "the test itself: "
                    + test.status())
            .raw("</p>");
        message(test.message());
      }
    }
    if (own != null) {
      remark(own);
    }
    if (!subtests.isEmpty()) {
      html.raw("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Subtest</th>");
      comparison.columns().forEach(column -> html.head("col", column.label()));
      html.raw("</tr></thead><tbody>\n");
      subtests.forEach((name, subtest) -> subtest(name, subtest, statuses));
      html.raw("</tbody></table></div>\n");
    }
    html.raw("</details>\n");
  }

  private static boolean differs(List<@Nullable Test> row, List<Map<String, String>> statuses) {
    Test first = row.getFirst();
    for (int i = 1; i < row.size(); i++) {
      Test other = row.get(i);
      if (first == null
          || other != null
              && (!first.status().equals(other.status())
                  || !statuses.getFirst().equals(statuses.get(i)))) {
        return true;
      }
    }
    return false;
  }

  /** Appends an icon beside a test's name, with a label for screen readers. */
  private void mark(@Nullable Test test) {
    if (test == null) {
      html.raw("<span class=\"mark absent\" role=\"img\" aria-label=\"not here\">–</span>");
    } else if (test.anyUnexpected()) {
      html.raw("<span class=\"mark bad\" role=\"img\" aria-label=\"unexpected\">✗</span>");
    } else if (test.allPass()) {
      html.raw("<span class=\"mark good\" role=\"img\" aria-label=\"passes\">✓</span>");
    } else {
      html.raw("<span class=\"mark known\" role=\"img\" aria-label=\"fails as expected\">○</span>");
    }
  }

  private void chip(int number, @Nullable Test test) {
    Column column = comparison.columns().get(number);
    boolean labelled = comparison.columns().size() > 1;
    String kind =
        test == null
            ? "absent"
            : test.allPass()
                ? "good"
                // Deviations from another engine's own expectations are irrelevant here.
                : number == 0 && test.anyUnexpected() ? "bad" : "known";
    html.raw("<span class=\"chip " + kind + "\"");
    if (labelled) {
      html.raw(" title=\"").text(column.label()).raw("\"");
    }
    html.raw(">");
    if (labelled) {
      html.raw("<span class=\"hidden\">").text(column.label() + ": ").raw("</span>");
    }
    html.text(
            test == null
                ? "–"
                : (test.passes() ? "" : test.status() + " ")
                    + (test.subtests().isEmpty() && !test.passes() ? "" : Count.of(test)))
        .raw("</span>");
  }

  private void subtest(String name, @Nullable Subtest own, List<Map<String, String>> statuses) {
    html.raw("<tr><th scope=\"row\">").text(name);
    if (own != null) {
      if (own.message() != null) {
        message(own.message());
      }
      remark(own);
    }
    html.raw("</th>");
    for (int i = 0; i < statuses.size(); i++) {
      String status = statuses.get(i).get(name);
      status(i == 0 && own != null ? own.status() : status, i == 0 ? own : null);
    }
    html.raw("</tr>\n");
  }

  private void status(@Nullable String status, @Nullable Result own) {
    String kind =
        status == null
            ? "absent"
            : own != null && own.unexpected()
                ? "bad"
                : Comparison.passes(status) ? "good" : own != null ? "known" : "other";
    html.cell("status " + kind, status == null ? "–" : status);
  }

  /** Appends the expectation and the reason of a result that is unexpected or does not pass. */
  private void remark(Result result) {
    String reason = result.expected().reason();
    if (result.unexpected()) {
      html.raw("<p class=\"remark\">")
          .text(result.status() + ", expected " + result.expected().status())
          .text(reason == null ? "" : " (" + reason + ")")
          .raw("</p>");
    } else if (!result.passes()) {
      html.raw("<p class=\"remark\">")
          .text("expected" + (reason == null ? "" : ": " + reason))
          .raw("</p>");
    }
  }

  private void message(String message) {
    html.raw("<pre>").text(message).raw("</pre>");
  }

  private void notRun() {
    List<NotRun> left = ours().notRun();
    if (left.isEmpty()) {
      return;
    }
    html.raw("<h2>Not run</h2>\n<details><summary>")
        .text(HarmlessText.count(left.size(), "test"))
        .raw("</summary><div class=\"scroll\"><table><thead><tr><th scope=\"col\">Test</th>")
        .raw("<th scope=\"col\">Reason</th></tr></thead><tbody>\n");
    for (NotRun each : left) {
      html.raw("<tr>").head("row", each.key()).cell("", each.reason()).raw("</tr>\n");
    }
    html.raw("</tbody></table></div></details>\n");
  }
}
