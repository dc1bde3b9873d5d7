package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.file.ByteSequence;
import dev.weblocks.testing.FuzzTarget;
import java.util.List;
import java.util.Map;

/**
 * The syntaxes of header values: MIME types, lists, lengths, ranges and digests. Nothing throws,
 * and a serialized MIME type is parsed as the same type.
 */
class HeadersFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    String value = text(input);
    MimeType type = MimeType.parse(value);
    if (type != null) {
      MimeType again = MimeType.parse(type.serialize());
      assertEquals(type, again);
      assertEquals(type.serialize(), again.serialize());
    }
    int comma = value.indexOf(',');
    HeaderList headers =
        HeaderList.of(
            List.of(
                Map.entry("Content-Type", value),
                Map.entry("content-type", value.substring(comma + 1)),
                Map.entry("Content-Length", value)));
    MimeType extracted = MimeType.extract(headers);
    if (extracted != null) {
      assertEquals(extracted, MimeType.parse(extracted.serialize()));
    }
    headers.extractLength();
    HeaderList.split(value);
    assertTrue(
        HttpText.isHeaderValue(HttpText.normalize(value)) || value.matches("(?s).*[\0\r\n].*"));
    ByteRange range = ByteRange.parse(value, true);
    if (range != null) {
      assertTrue(range.start() != null || range.end() != null);
    }
    SubresourceIntegrity.matches(ByteSequence.of(input.clone()), value);
    RequestRules.isForbiddenHeader("x-http-method", value);
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("a/b", ";", ""),
        new Shape("a/b", "; ", "x"),
        new Shape("a/b;", " ", "x"),
        new Shape("a/b", ";a=", ""),
        new Shape("a/b", ";a=b", ""),
        new Shape("a/b;a=\"", "\\", "\""),
        new Shape("a/b", ";a=\"", ""),
        new Shape("a/b;a=", " ", "x"),
        new Shape("a", "/", ""),
        new Shape("", ",", ""),
        new Shape("", "\"", ""),
        new Shape("", " ", ""),
        new Shape("bytes=", "1", "-"),
        new Shape("sha256-", "A", ""),
        new Shape("", "sha256-AAAA ", ""),
        new Shape("", "-", ""));
  }
}
