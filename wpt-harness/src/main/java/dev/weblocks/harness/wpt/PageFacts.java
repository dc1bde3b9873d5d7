package dev.weblocks.harness.wpt;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
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
        page.select("meta[name=variant][content]").stream().map(e -> e.attr("content")).toList();
    Element timeout = page.selectFirst("meta[name=timeout]");
    List<String> scripts =
        page.select("script[src]").stream().map(script -> script.attr("src")).toList();
    return new PageFacts(
        scripts.contains("/resources/testharness.js"),
        !page.select("link[rel=match], link[rel=mismatch]").isEmpty(),
        page.select("meta[name=flags]").stream()
            .flatMap(e -> List.of(e.attr("content").split("\\s+")).stream())
            .anyMatch(MANUAL_FLAGS::contains),
        page.select("link[rel=help]").stream().anyMatch(e -> e.hasAttr("href")),
        timeout != null && timeout.attr("content").equalsIgnoreCase("long")
            ? TestTimeout.LONG
            : TestTimeout.NORMAL,
        variants.isEmpty() ? List.of("") : variants,
        scripts);
  }
}
