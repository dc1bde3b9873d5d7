package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.weblocks.global.ForgivingBase64;
import dev.weblocks.testing.FuzzTarget;
import dev.weblocks.url.UrlParser;
import dev.weblocks.url.UrlRecord;
import java.util.Base64;
import java.util.List;

/** The content of a data URL, and base64. Nothing throws, and base64 decodes to what it encodes. */
class DataUrlFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    String text = text(input);
    UrlRecord url = UrlParser.parse("data:" + text);
    DataUrl data = url == null || url.host() != null ? null : DataUrl.process(url);
    if (data != null) {
      MimeType type = data.mimeType();
      assertEquals(type, MimeType.parse(type.serialize()));
    }
    ForgivingBase64.decodeBytes(text);
    assertArrayEquals(
        input, ForgivingBase64.decodeBytes(Base64.getEncoder().encodeToString(input)));
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("", ";base64", ",AAAA"),
        new Shape(";", " ", "base64,AAAA"),
        new Shape(";base64,", "A", ""),
        new Shape(";base64,", " ", "="),
        new Shape(";base64,", "=", ""),
        new Shape(",", "%25", ""),
        new Shape("", "%", ","));
  }
}
