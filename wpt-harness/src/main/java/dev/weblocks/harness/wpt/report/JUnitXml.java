package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.report.RunReport.NotRun;
import dev.weblocks.harness.wpt.report.RunReport.Result;
import dev.weblocks.harness.wpt.report.RunReport.Subtest;
import dev.weblocks.harness.wpt.report.RunReport.Test;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * The XML format of JUnit, as read by build servers and Maven. Each test is a suite. Its cases are
 * the test as a whole, with its duration, and its subtests. An unexpected status is a failure, or
 * an error if something broke. An expected status that is not a pass counts as skipped, with the
 * reason, as does a test that did not run.
 */
public final class JUnitXml implements ReportFormat {

  private static final String WHOLE = "(the test itself)";

  /** Statuses that mean that something broke, not that a result is wrong. */
  private static final Set<String> ERRORS = Set.of("TIMEOUT", "CRASH", "ERROR");

  @Override
  public String write(RunReport run) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      new Document(xml).write(run);
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a document in memory cannot be written", e);
    }
    return text + "\n";
  }

  private record Document(XMLStreamWriter xml) {

    private enum Outcome {
      PASSED,
      FAILURE,
      ERROR,
      SKIPPED
    }

    void write(RunReport run) throws XMLStreamException {
      List<Result> all = run.tests().stream().flatMap(Test::results).toList();
      xml.writeStartDocument("UTF-8", "1.0");
      start(0, "testsuites");
      xml.writeAttribute("name", "web-platform-tests");
      counts(all, run.notRun().size());
      Duration duration =
          run.start() == null || run.end() == null
              ? Duration.ZERO
              : Duration.between(run.start(), run.end());
      xml.writeAttribute("time", seconds(duration));
      for (Test test : run.tests()) {
        write(run, test);
      }
      for (NotRun notRun : run.notRun()) {
        suite(run, className(notRun.key()));
        counts(List.of(), 1);
        xml.writeAttribute("time", seconds(Duration.ZERO));
        start(2, "testcase");
        names(notRun.key(), WHOLE, Duration.ZERO);
        empty(3, "skipped");
        xml.writeAttribute("message", HarmlessText.line("not run: " + notRun.reason()));
        end(2);
        end(1);
      }
      end(0);
      xml.writeEndDocument();
    }

    private void suite(RunReport run, String name) throws XMLStreamException {
      start(1, "testsuite");
      xml.writeAttribute("name", HarmlessText.line(name));
      if (run.start() != null) {
        xml.writeAttribute("timestamp", run.start().toString());
      }
    }

    private void write(RunReport run, Test test) throws XMLStreamException {
      Duration duration = test.duration() == null ? Duration.ZERO : test.duration();
      suite(run, className(test.key()));
      counts(test.results().toList(), 0);
      xml.writeAttribute("time", seconds(duration));
      start(2, "properties");
      property("test", test.key());
      property("product", run.product());
      property("interrupted", Boolean.toString(run.interrupted()));
      end(2);
      write(test, WHOLE, test, duration);
      for (Subtest subtest : test.subtests()) {
        write(test, subtest.name(), subtest, Duration.ZERO);
      }
      end(1);
    }

    private void property(String name, String value) throws XMLStreamException {
      empty(3, "property");
      xml.writeAttribute("name", name);
      xml.writeAttribute("value", HarmlessText.line(value));
    }

    private void write(Test test, String name, Result result, Duration duration)
        throws XMLStreamException {
      Outcome outcome = outcome(result);
      if (outcome == Outcome.PASSED) {
        empty(2, "testcase");
        names(test.key(), name, duration);
        return;
      }
      start(2, "testcase");
      names(test.key(), name, duration);
      switch (outcome) {
        case PASSED, SKIPPED -> {
          empty(3, "skipped");
          String reason = result.expected().reason();
          xml.writeAttribute(
              "message",
              HarmlessText.line(
                  "expected " + result.status() + (reason == null ? "" : ": " + reason)));
        }
        case FAILURE -> problem("failure", result);
        case ERROR -> problem("error", result);
      }
      end(2);
    }

    private void problem(String element, Result result) throws XMLStreamException {
      String summary = result.status() + ", expected " + result.expected().status();
      String message = result.message();
      start(3, element);
      xml.writeAttribute("message", HarmlessText.line(summary + firstLine(message)));
      xml.writeAttribute("type", HarmlessText.line(result.status()));
      xml.writeCharacters(HarmlessText.lines(message == null ? summary : summary + "\n" + message));
      end();
    }

    private static String firstLine(@Nullable String message) {
      return message == null ? "" : ": " + message.lines().findFirst().orElse("");
    }

    private static Outcome outcome(Result result) {
      if (result.unexpected()) {
        return ERRORS.contains(result.status()) ? Outcome.ERROR : Outcome.FAILURE;
      }
      return result.passes() ? Outcome.PASSED : Outcome.SKIPPED;
    }

    private void counts(List<Result> results, int notRun) throws XMLStreamException {
      count("tests", results.size() + notRun);
      count("failures", count(results, Outcome.FAILURE));
      count("errors", count(results, Outcome.ERROR));
      count("skipped", notRun + count(results, Outcome.SKIPPED));
    }

    private static long count(List<Result> results, Outcome outcome) {
      return results.stream().filter(result -> outcome(result) == outcome).count();
    }

    private void count(String name, long value) throws XMLStreamException {
      xml.writeAttribute(name, Long.toString(value));
    }

    private void names(String id, String name, Duration duration) throws XMLStreamException {
      xml.writeAttribute("name", HarmlessText.line(name));
      xml.writeAttribute("classname", HarmlessText.line(className(id)));
      xml.writeAttribute("time", seconds(duration));
    }

    /**
     * Returns a class name for readers of JUnit XML: packages separated by dots, then a name
     * without dots.
     */
    private static String className(String id) {
      String directory = RunReport.directory(id).replace('.', '_').replace('/', '.');
      String name = id.substring(id.startsWith("/") ? 1 : 0);
      String rest = directory.isEmpty() ? name : name.substring(directory.length() + 1);
      return (directory.isEmpty() ? "" : directory + ".") + rest.replace('.', '_');
    }

    private static String seconds(Duration duration) {
      return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
    }

    private void start(int depth, String name) throws XMLStreamException {
      xml.writeCharacters("\n" + "  ".repeat(depth));
      xml.writeStartElement(name);
    }

    private void empty(int depth, String name) throws XMLStreamException {
      xml.writeCharacters("\n" + "  ".repeat(depth));
      xml.writeEmptyElement(name);
    }

    private void end() throws XMLStreamException {
      xml.writeEndElement();
    }

    private void end(int depth) throws XMLStreamException {
      xml.writeCharacters("\n" + "  ".repeat(depth));
      xml.writeEndElement();
    }
  }
}
