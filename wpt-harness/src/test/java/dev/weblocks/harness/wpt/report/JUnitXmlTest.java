package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class JUnitXmlTest {

  private static Document parse(RunReport run) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(new JUnitXml().write(run))));
  }

  private static List<Element> all(Document document, String name) {
    List<Element> elements = new ArrayList<>();
    NodeList nodes = document.getElementsByTagName(name);
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** Returns the child element of a case and its message; empty for a pass. */
  private static String outcome(Element testcase) {
    NodeList children = testcase.getElementsByTagName("*");
    if (children.getLength() == 0) {
      return "";
    }
    Element child = (Element) children.item(0);
    return child.getTagName() + ": " + child.getAttribute("message");
  }

  @Test
  void each_test_is_a_suite_and_each_subtest_a_case() throws Exception {
    Document document = parse(Runs.mixed());

    List<Element> suites = all(document, "testsuite");
    assertEquals("d.a_html?v", suites.get(0).getAttribute("name"));
    assertEquals("7", suites.get(0).getAttribute("tests"));
    assertEquals("3", suites.get(0).getAttribute("failures"));
    assertEquals("1", suites.get(0).getAttribute("errors"));
    assertEquals("1", suites.get(0).getAttribute("skipped"));
    assertEquals("0.321", suites.get(0).getAttribute("time"));
    assertEquals("1970-01-01T00:00:01Z", suites.get(0).getAttribute("timestamp"));
    assertEquals("d.e.crash_html", suites.get(1).getAttribute("name"));
    assertEquals("/d/a.html?v", all(document, "property").get(0).getAttribute("value"));
    List<Element> cases = all(document, "testcase");
    assertEquals(
        List.of(
            "(the test itself)",
            "passes",
            "known",
            "lucky",
            "slow",
            "wrong",
            "gone",
            "(the test itself)"),
        cases.stream().map(each -> each.getAttribute("name")).toList());
    assertEquals(
        List.of(
            "",
            "",
            "skipped: expected FAIL: it is known",
            "failure: PASS, expected FAIL",
            "error: TIMEOUT, expected PASS: too slow",
            "failure: FAIL, expected PASS: is wrong",
            "failure: MISSING, expected FAIL",
            "error: CRASH, expected OK"),
        cases.stream().map(JUnitXmlTest::outcome).toList());
    Element root = document.getDocumentElement();
    assertEquals("8", root.getAttribute("tests"));
    assertEquals("3", root.getAttribute("failures"));
    assertEquals("2", root.getAttribute("errors"));
    assertEquals("1.500", root.getAttribute("time"));
  }

  @Test
  void hostile_text_is_escaped() throws Exception {
    Element failed = all(parse(Runs.hostile()), "testcase").get(1);

    String name =
        "a # TODO </script><img src=x onerror='y'>\"&]]> \\nU+000d\\t\\ U+0000U+001b[31mU+0085"
            + "U+202eU+fffe U+d800 \ud83d\ude00";
    assertEquals(name, failed.getAttribute("name"));
    assertTrue(
        failed.getTextContent().contains(name.replace("\\n", "\n").replace("\\t", "\t")),
        failed::getTextContent);
  }

  @Test
  void tests_not_run_are_skipped_with_the_reason() throws Exception {
    Document document = parse(Runs.interrupted());

    Element skipped = all(document, "testcase").get(2);
    assertEquals("d.b_html", skipped.getAttribute("classname"));
    assertEquals("skipped: not run: the run was interrupted", outcome(skipped));
    assertEquals("1", document.getDocumentElement().getAttribute("skipped"));
    assertTrue(
        all(document, "property").stream()
            .anyMatch(each ->
                each.getAttribute("name").equals("interrupted")
                    && each.getAttribute("value").equals("true")));
  }

  @Test
  void empty_run_is_a_well_formed_document() throws Exception {
    assertEquals("0", parse(Runs.empty()).getDocumentElement().getAttribute("tests"));
  }

  @Test
  void a_test_at_the_root_has_a_class_without_a_package() throws Exception {
    Document document = parse(Runs.of(List.of(Runs.test("/a.html", "OK"))));

    assertEquals("a_html", all(document, "testcase").get(0).getAttribute("classname"));
  }
}
