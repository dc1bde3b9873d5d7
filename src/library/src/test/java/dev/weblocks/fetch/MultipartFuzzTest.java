package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.weblocks.file.ByteSequence;
import dev.weblocks.testing.FuzzTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A boundary, a line feed and a body. Nothing throws, and the parts of a form, encoded as a form
 * again, are the same parts.
 */
class MultipartFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    int end = 0;
    while (end < input.length && input[end] != '\n') {
      end++;
    }
    String boundary = text(Arrays.copyOf(input, end));
    byte[] body = Arrays.copyOfRange(input, Math.min(end + 1, input.length), input.length);
    List<Multipart.Part> parts = Multipart.parse(ByteSequence.of(body), boundary);
    if (parts == null) {
      return;
    }
    List<Multipart.Part> again = Multipart.parse(encoded(parts, boundary), boundary);
    assertNotNull(again);
    assertEquals(parts.size(), again.size());
    for (int i = 0; i < parts.size(); i++) {
      Multipart.Part one = parts.get(i);
      Multipart.Part other = again.get(i);
      assertEquals(one.name(), other.name());
      assertEquals(one.filename(), other.filename());
      assertEquals(one.type(), other.type());
      assertArrayEquals(one.body().toByteArray(), other.body().toByteArray());
    }
  }

  private static ByteSequence encoded(List<Multipart.Part> parts, String boundary) {
    List<ByteSequence> all = new ArrayList<>();
    for (Multipart.Part part : parts) {
      String filename =
          part.filename() == null ? "" : "; filename=\"" + Multipart.escape(part.filename()) + "\"";
      all.add(
          ByteSequence.utf8Encode(
              "--%s\r\nContent-Disposition: form-data; name=\"%s\"%s\r\nContent-Type: %s\r\n\r\n"
                  .formatted(boundary, Multipart.escape(part.name()), filename, part.type())));
      all.add(part.body());
      all.add(ByteSequence.utf8Encode("\r\n"));
    }
    all.add(ByteSequence.utf8Encode("--" + boundary + "--"));
    return ByteSequence.concatenate(all);
  }

  @Override
  protected List<Shape> shapes() {
    String part = "--b\r\nContent-Disposition: form-data; name=\"";
    return List.of(
        new Shape("b\n", part + "a\"\r\n\r\n1\r\n", "--b--"),
        new Shape("b\n" + part, "%0A", "\"\r\n\r\n1\r\n--b--"),
        new Shape("b\n" + part + "a\"", ";x=", "\r\n\r\n1\r\n--b--"),
        new Shape("b\n" + part + "a\"", ";", "\r\n\r\n1\r\n--b--"),
        new Shape("b\n" + part + "a\"\r\n", "X: y\r\n", "\r\n1\r\n--b--"),
        new Shape("b\n" + part + "a\"\r\n\r\n", "\r\n--", "\r\n--b--"),
        new Shape("b\n" + part + "a\"\r\n\r\n", "\r\n", "\r\n--b--"),
        new Shape("b\n--b", " ", "\r\n"),
        new Shape("b", "b", "\n--bb"));
  }
}
