package dev.weblocks.harness.wpt;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * The facts about a page that determine its kind of test.
 *
 * @param testharness whether it loads {@code testharness.js} from its standard path
 * @param reference whether it links a page that it must match, or must not match
 * @param manualFlags whether a CSS flag requires manual actions
 * @param specLink whether it links the specification that it tests
 * @param variants suffixes of its URLs; one empty suffix if the page names none
 * @param scripts URLs of the scripts that it includes
 */
record PageFacts(
    boolean testharness,
    boolean reference,
    boolean manualFlags,
    boolean specLink,
    TestTimeout timeout,
    List<String> variants,
    List<String> scripts) {

  private static final List<String> MANUAL_FLAGS =
      List.of("animated", "font", "history", "interact", "paged", "speech", "userstyle");

  static PageFacts read(byte[] content, boolean html) throws IOException {
    Document page =
        Jsoup.parse(
            new ByteArrayInputStream(content),
            html ? null : "UTF-8",
            "",
            html ? Parser.htmlParser() : Parser.xmlParser());
    List<String> variants =
        elements(page, "meta[name=variant][content]").map(e -> e.attr("content")).toList();
    boolean isLong =
        elements(page, "meta[name=timeout]")
            .limit(1)
            .anyMatch(timeout -> timeout.attr("content").equalsIgnoreCase("long"));
    List<String> scripts = elements(page, "script[src]").map(script -> script.attr("src")).toList();
    return new PageFacts(
        scripts.contains("/resources/testharness.js"),
        elements(page, "link[rel~=^(mis)?match$][href]").findAny().isPresent(),
        elements(page, "meta[name=flags]")
            .flatMap(e -> List.of(e.attr("content").split("\\s+")).stream())
            .anyMatch(MANUAL_FLAGS::contains),
        elements(page, "link[rel=help][href]").findAny().isPresent(),
        isLong ? TestTimeout.LONG : TestTimeout.NORMAL,
        variants.isEmpty() ? List.of("") : variants,
        scripts);
  }

  /** Returns HTML elements; in XML their tags may have a prefix, as in {@code <h:script>}. */
  private static Stream<Element> elements(Document page, String selector) {
    return page.select("*|" + selector).stream()
        .filter(element -> element.tag().namespace().equals(Parser.NamespaceHtml));
  }
}
