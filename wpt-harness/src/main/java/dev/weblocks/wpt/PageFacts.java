package dev.weblocks.wpt;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * What a page tells about itself as a test.
 *
 * @param testharness whether it loads {@code testharness.js} from its one right place
 * @param reference whether it names a page to look like, or unlike
 * @param manualFlags whether a CSS flag says that a person must act
 * @param specLink whether it links the specification that it shows
 * @param variants suffixes of its URLs; one empty suffix when it names none
 */
record PageFacts(
    boolean testharness,
    boolean reference,
    boolean manualFlags,
    boolean specLink,
    TestTimeout timeout,
    List<String> variants) {

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
    return new PageFacts(
        page.select("script[src]").stream()
            .anyMatch(e -> e.attr("src").equals("/resources/testharness.js")),
        !page.select("link[rel=match], link[rel=mismatch]").isEmpty(),
        page.select("meta[name=flags]").stream()
            .flatMap(e -> List.of(e.attr("content").split("\\s+")).stream())
            .anyMatch(MANUAL_FLAGS::contains),
        page.select("link[rel=help]").stream().anyMatch(e -> e.hasAttr("href")),
        timeout != null && timeout.attr("content").equalsIgnoreCase("long")
            ? TestTimeout.LONG
            : TestTimeout.NORMAL,
        variants.isEmpty() ? List.of("") : variants);
  }
}
