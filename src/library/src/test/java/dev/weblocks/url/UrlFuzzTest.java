package dev.weblocks.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.weblocks.testing.FuzzTarget;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Lines of a base URL, a URL and a value for the setters. Nothing throws, and the serialization of
 * each URL is parsed as the same URL.
 */
class UrlFuzzTest extends FuzzTarget {

  private static final List<BiFunction<UrlRecord, String, UrlRecord>> SETTERS =
      List.of(
          UrlSetters::protocol,
          UrlSetters::username,
          UrlSetters::password,
          UrlSetters::host,
          UrlSetters::hostname,
          UrlSetters::port,
          UrlSetters::pathname,
          (url, value) -> UrlSetters.search(url, value, null),
          UrlSetters::hash);

  @Override
  protected void accept(byte[] input) {
    String[] lines = text(input).split("\n", 3);
    UrlRecord base = UrlParser.parse(lines[0]);
    UrlRecord url = lines.length < 2 ? base : UrlParser.parse(lines[1], base);
    if (url == null) {
      return;
    }
    check(url);
    url.tupleOrigin();
    List<FormUrlEncoded.Entry> entries =
        FormUrlEncoded.parse(url.query() == null ? "" : url.query());
    assertEquals(entries, FormUrlEncoded.parse(FormUrlEncoded.serialize(entries)));
    if (lines.length == 3) {
      UrlRecord all = url;
      for (BiFunction<UrlRecord, String, UrlRecord> setter : SETTERS) {
        check(setter.apply(url, lines[2]));
        all = setter.apply(all, lines[2]);
      }
      check(all);
    }
  }

  private static void check(UrlRecord url) {
    String href = url.href();
    UrlRecord again = UrlParser.parse(href);
    assertNotNull(again, href);
    assertEquals(url, again, href);
    assertEquals(href, again.href());
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("http://h/", "../", ""),
        new Shape("http://h/", "a/", ""),
        new Shape("http://h/a", "/%2e%2E", ""),
        new Shape("http://", "@", "h/"),
        new Shape("http://", ":", "@h/"),
        new Shape("http://", "a.", ""),
        new Shape("http://", "1.", ""),
        new Shape("http://", "a", ""),
        new Shape("http://", "%61", ""),
        new Shape("http://", "\u00e4.", ""),
        new Shape("http://", "xn--4ca.", ""),
        new Shape("http://", "\u00e4", ""),
        new Shape("http://xn--", "4ca", ""),
        new Shape("http://[", ":", "]"),
        new Shape("http://h:", "0", "80/"),
        new Shape("http://h", "/", ""),
        new Shape("http://h/?", "a=b&", ""),
        new Shape("http://h/?", "%", ""),
        new Shape("http://h/#", "\u00e4", ""),
        new Shape("file:", "/", ""),
        new Shape("file:///", "C:/../", ""),
        new Shape("data:", " ", ",x"),
        new Shape("data:,", " ", "#"),
        new Shape("a", "a", ":"),
        new Shape("", "blob:", "http://h"),
        new Shape("a:", "/.", ""),
        new Shape("http://h/\n", "../", ""));
  }
}
