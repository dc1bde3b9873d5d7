package dev.weblocks.harness.wpt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestUrlTest {

  @Test
  void url_is_split_and_its_host_converted_to_ascii() {
    assertEquals(
        Optional.of(
            new RequestUrl(
                "https", "xn--lve-6lad.web-platform.test", 8443, "/a%20b%7B%7D", "x=1|2")),
        RequestUrl.parse("HTTPS://user:secret@Élève.web-platform.test:8443/a b{}?x=1|2#part"));
    assertEquals(
        Optional.of(new RequestUrl("http", "example.org", 80, "/", "")),
        RequestUrl.parse("http://example.org"));
    assertEquals(Optional.empty(), RequestUrl.parse("data:text/plain,x"));
  }

  @Test
  void parameters_are_decoded_and_the_first_of_each_name_counts() {
    RequestUrl url = RequestUrl.parse("http://h/?a=%E2%82%ac+x&a=2&empty&bad=%zz").orElseThrow();

    assertEquals(Optional.of("€ x"), url.parameter("a"));
    assertEquals(Optional.of(""), url.parameter("empty"));
    assertEquals(Optional.of("%zz"), url.parameter("bad"));
    assertEquals(Optional.empty(), url.parameter("absent"));
  }
}
