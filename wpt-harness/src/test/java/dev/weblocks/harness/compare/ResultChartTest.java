package dev.weblocks.harness.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

class ResultChartTest {

  private static Document parse(String svg)
      throws ParserConfigurationException, SAXException, IOException {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> all = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      all.add((Element) nodes.item(i));
    }
    return all;
  }

  /** Returns the titles of the marks, row by row. */
  private static List<String> marks(Document document) {
    return elements(document, "title").stream().map(Element::getTextContent).toList();
  }

  @Test
  void picture_has_a_mark_for_each_result_with_a_ratio()
      throws ParserConfigurationException, SAXException, IOException {
    Document document = parse(ResultChart.picture(Made.mixed()));

    assertEquals(
        List.of(
            "deno: 90.0 locks/s, 0.00045 times",
            "node: 200,000 locks/s, 1.00 times",
            "weblocks: 50,000 locks/s, 0.25 times",
            "weblocks-jit: 300,000 locks/s, 1.50 times",
            "deno: 0.25 ms/query, 1.00 times",
            "weblocks: 4.00 ms/query, 0.063 times",
            "weblocks-jit: 0.50 ms/query, 0.50 times"),
        marks(document));
    List<String> texts = elements(document, "text").stream().map(Element::getTextContent).toList();
    assertTrue(texts.containsAll(List.of("sequential", "query", "growth")), texts::toString);
    assertTrue(texts.contains("no result of Node or Deno"), texts::toString);
  }

  @Test
  void better_results_are_drawn_further_right()
      throws ParserConfigurationException, SAXException, IOException {
    Document document =
        parse(
            ResultChart.picture(
                Made.results(
                    Made.row("query", "weblocks-jit", 1, "weblocks", 4, "node", 2, "deno", 3))));

    List<Double> own =
        elements(document, "circle").stream()
            .filter(circle -> circle.getParentNode().getNodeName().equals("g"))
            .map(circle -> Double.parseDouble(circle.getAttribute("cx")))
            .toList();
    assertEquals(2, own.size());
    assertTrue(own.get(0) < own.get(1), own::toString); // the interpreter is drawn first
  }

  @Test
  void picture_is_self_contained_and_supports_dark_mode() {
    String svg = ResultChart.picture(Made.mixed());

    assertTrue(svg.contains("prefers-color-scheme: dark"));
    assertFalse(svg.contains("href"));
    assertFalse(svg.contains("url("));
    assertFalse(svg.contains("<script"));
  }

  @Test
  void page_has_picture_and_results_and_escapes_engine_output() {
    String page = ResultChart.page(Made.mixed());

    assertTrue(page.startsWith("<!DOCTYPE html>"));
    assertTrue(page.contains("<svg class=\"weblocks-bench\""));
    assertTrue(page.contains("<td title=\"150,000 to 600,000\">300,000</td>"), page);
    assertTrue(page.contains("<td>failed</td>"), page);
    assertTrue(page.contains("failed: Error: &lt;no&gt; &amp; &quot;never&quot;</p>"), page);
    assertFalse(page.contains("<no>"));
  }

  @Test
  void a_run_without_rows_still_has_a_picture()
      throws ParserConfigurationException, SAXException, IOException {
    assertEquals(List.of(), marks(parse(ResultChart.picture(Made.results()))));
  }
}
