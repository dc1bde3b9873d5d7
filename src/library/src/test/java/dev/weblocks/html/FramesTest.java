package dev.weblocks.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.ResourceResponse;
import dev.weblocks.embed.Scenario;
import dev.weblocks.embed.SharedEnvironment;
import dev.weblocks.embed.UserAgent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Frames: their windows, their members in the page, and their removal. */
class FramesTest {

  @Test
  void appended_frame_at_once_has_a_window_as_its_global_object() {
    assertEquals(
        List.of(
            "object [object Window]",
            "true true true true",
            "true",
            "true",
            "about:blank complete",
            "null true"),
        Scenario.logOf(
            """
            const frame = document.createElement('iframe');
            document.documentElement.append(frame);
            const w = frame.contentWindow;
            console.log(typeof w, String(w));
            console.log(w === w.window, w === w.self, w.parent === window, w.top === window);
            console.log(frames[0] === w && frames.length === 1);
            console.log(w.Array !== Array && new w.Array() instanceof w.Array);
            console.log(w.document.URL, w.document.readyState);
            frame.remove();
            console.log(frame.contentWindow, w.closed);
            """));
  }

  @Test
  void messages_pass_between_page_and_frame() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource(
              "/frame.html",
              "<script>onmessage = e => e.source.postMessage(e.data + 1, e.origin)</script>")
          .window(
              """
              const frame = document.createElement('iframe');
              frame.src = 'frame.html';
              frame.onload = () => frame.contentWindow.postMessage(41, '*');
              onmessage = e => console.log(e.data, e.origin, e.source === frame.contentWindow);
              document.documentElement.append(frame);
              """);
      assertEquals(List.of("42 https://one.test true"), scenario.run());
    }
  }

  @Test
  void ports_of_a_frame_close_when_the_frame_is_removed() {
    assertEquals(
        List.of("arrived", "closed"),
        Scenario.logOf(
            """
            const frame = document.createElement('iframe');
            document.documentElement.append(frame);
            const { port1, port2 } = new MessageChannel();
            port1.start();
            port1.onclose = () => console.log('closed');
            frame.contentWindow.onmessage = () => {
              console.log('arrived');
              frame.remove();
            };
            frame.contentWindow.postMessage('', '*', [port2]);
            """));
  }

  @Test
  void port_in_flight_to_a_removed_frame_is_closed() {
    assertEquals(
        List.of("closed"),
        Scenario.logOf(
            """
            const frame = document.createElement('iframe');
            document.documentElement.append(frame);
            const { port1, port2 } = new MessageChannel();
            port1.start();
            port1.onclose = () => console.log('closed');
            frame.contentWindow.onmessage = () => console.log('never');
            frame.contentWindow.postMessage('', '*', [port2]);
            frame.remove();
            """));
  }

  @Test
  void opened_window_starts_with_a_copy_of_its_openers_session_storage() {
    assertEquals(
        List.of("1 1 null"),
        Scenario.logOf(
            """
            sessionStorage.a = 1;
            const opened = open('about:blank');
            sessionStorage.b = 2;
            const before = opened.sessionStorage.a;
            opened.sessionStorage.a = 3;
            console.log(before, sessionStorage.a, opened.sessionStorage.getItem('b'));
            """));
  }

  @Test
  void session_storage_survives_navigation_of_its_window() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("/next.html", "<script>console.log(sessionStorage.a)</script>")
          .window("sessionStorage.a = 'kept'; location = '/next.html'");
      assertEquals(List.of("kept"), scenario.run());
    }
  }

  @Test
  void javascript_url_runs_in_the_frame_and_string_results_replace_the_document() {
    assertEquals(
        List.of("true about:blank", "nothing loaded", "text: a b", "still a b"),
        Scenario.logOf(
            """
            onload = () => {
              const frame = document.createElement('iframe');
              frame.onload = () => {
                console.log('text:', frame.contentDocument.body.textContent);
                frame.onload = () => console.log('never');
                frame.src = 'javascript:void top.say()';
              };
              self.say = () => setTimeout(() => {
                console.log('still', frame.contentDocument.body.textContent);
              });
              frame.src = "javascript:top.console.log(frameElement === top.made, document.URL), '<p>a%20b'";
              self.made = frame;
              document.documentElement.append(frame);
              const empty = document.createElement('iframe');
              empty.onload = () => console.log('nothing loaded');
              empty.src = 'javascript:';
              document.documentElement.append(empty);
            };
            """));
  }

  @Test
  void a_javascript_url_does_not_run_in_a_frame_of_another_origin() {
    try (Scenario scenario = new Scenario(1)) {
      scenario
          .resource("https://two.test/frame.html", "<script>self.theirs = 1</script>")
          .window(
              """
              const frame = document.createElement('iframe');
              frame.src = 'https://two.test/frame.html';
              frame.onload = () => {
                frame.onload = () => console.log('never');
                frame.contentWindow.location = 'javascript:console.log(self.theirs), "text"';
                setTimeout(() => console.log('over'), 100);
              };
              document.documentElement.append(frame);
              """);
      assertEquals(List.of("over"), scenario.run());
    }
  }

  @Test
  void frame_that_loads_while_its_page_is_closed_starts_no_agent() {
    CompletableFuture<ResourceResponse> frame = new CompletableFuture<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request ->
                    request.url().startsWith("https://one.test/")
                        ? CompletableFuture.completedFuture(
                            ResourceResponse.of(
                                request.url(),
                                "text/html",
                                "<body><iframe src='https://two.test/'></iframe>"))
                        : frame)
                .build()) {
      dev.weblocks.embed.Window page = userAgent.open("https://one.test/");
      driver.runUntilIdle(100_000);
      page.close();
      frame.complete(ResourceResponse.of("https://two.test/", "text/html", "text"));
      driver.runUntilIdle(100_000);
      assertTrue(page.ended().isDone());
      assertEquals(0, userAgent.metrics().agents());
    }
  }

  @Test
  void request_of_a_frame_is_cancelled_when_its_page_is_closed() {
    CompletableFuture<ResourceResponse> frame = new CompletableFuture<>();
    try (DeterministicDriver driver = Driver.deterministic(1);
        UserAgent userAgent =
            UserAgent.newBuilder()
                .driver(driver)
                .environment(SharedEnvironment.ENVIRONMENT)
                .resourceLoader(request ->
                    request.url().equals("https://one.test/")
                        ? CompletableFuture.completedFuture(
                            ResourceResponse.of(
                                request.url(), "text/html", "<body><iframe src='frame'></iframe>"))
                        : frame)
                .build()) {
      dev.weblocks.embed.Window page = userAgent.open("https://one.test/");
      driver.runUntilIdle(100_000);
      page.close();
      assertTrue(frame.isCancelled());
    }
  }
}
