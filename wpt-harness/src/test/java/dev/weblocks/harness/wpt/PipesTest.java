package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weblocks.harness.wpt.handlers.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PipesTest {

  private static Reply apply(String pipe) throws ServerFailure {
    Reply reply = Reply.EMPTY.adding("X-A", "old").withBody("0123456789".getBytes(UTF_8));
    return new Pipes(
            pipe, (content, escape) -> (new String(content, UTF_8) + " " + escape).getBytes(UTF_8))
        .apply(reply);
  }

  private static String text(String pipe) throws ServerFailure {
    return new String(apply(pipe).body(), UTF_8);
  }

  @Test
  void pipes_are_applied_in_order() throws ServerFailure {
    Reply reply = apply("status(404)|header(X-A,new)|header(X-A,more,True)|slice(1,3)");

    assertEquals(404, reply.status());
    assertEquals(
        List.of(
            Map.entry("X-A", "new"), Map.entry("X-A", "more"), Map.entry("Content-Length", "2")),
        reply.headers());
    assertEquals("12", new String(reply.body(), UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "header(X-B,a\\,b);a,b",
        "header(X-B,a\\)\\\\);a)\\",
        "header(X-B,a|b(c);a|b(c",
        "header(X-B,unclosed;unclosed"
      })
  void backslash_escapes_the_next_character(String pipe, String value) throws ServerFailure {
    assertEquals(Map.entry("X-B", value), apply(pipe).headers().getLast());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "slice(3);3456789",
        "slice(-3);789",
        "slice(null,2);01",
        "slice(2,null);23456789",
        "slice(2,-2);234567",
        "slice(5,2);''",
        "slice(20);''",
        "slice(-20,1);0",
        "sub;0123456789 HTML",
        "sub(html);0123456789 HTML",
        "sub(none);0123456789 NONE"
      })
  void a_body_is_cut_and_filled_in(String pipe, String body) throws ServerFailure {
    assertEquals(body, text(pipe));
  }

  @ParameterizedTest
  @CsvSource({
    "trickle(d1), 1000",
    "trickle(d0.25:3:d1), 1250",
    "trickle(5:d1:r2), 2000",
    "trickle(d2:1:d0.5:3:d0.5:r2), 4000",
    "trickle(20:d1:r2), 1000"
  })
  void pauses_add_up_before_the_complete_body(String pipe, long millis) throws ServerFailure {
    Reply reply = apply(pipe);

    assertEquals(Duration.ofMillis(millis), reply.delay());
    assertEquals(10, reply.body().length);
    assertEquals(Map.entry("Expires", "0"), reply.headers().getLast());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status(x)",
        "status",
        "status(1,2)",
        "header(A)",
        "header(A,b,maybe)",
        "slice(x)",
        "trickle(x)",
        "trickle(d-1)",
        "trickle(d1:r1)",
        "trickle(1:r5)",
        "sub(html,none)"
      })
  void invalid_pipe_is_a_server_error(String pipe) {
    ServerFailure failure = assertThrows(ServerFailure.class, () -> apply(pipe));

    assertEquals(500, failure.status());
    assertEquals("the pipe '" + pipe + "' is malformed", failure.getMessage());
  }

  @Test
  void unsupported_pipe_is_named_in_the_error() {
    ServerFailure failure = assertThrows(ServerFailure.class, () -> apply("status(200)|gzip"));

    assertEquals(501, failure.status());
    assertEquals("the pipe 'gzip' is not supported", failure.getMessage());
  }
}
