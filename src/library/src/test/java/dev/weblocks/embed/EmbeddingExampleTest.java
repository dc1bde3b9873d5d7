package dev.weblocks.embed;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The code of the example in the package description. */
class EmbeddingExampleTest {

  @Test
  void a_window_gets_a_lock() throws Exception {
    String granted;
    // @start region="window"
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    try (UserAgent userAgent =
        UserAgent.newBuilder()
            .resourceLoader(request ->
                completedFuture(
                    ResourceResponse.of(
                        request.url(),
                        "text/html",
                        "<script>"
                            + "navigator.locks.request('a', lock => console.log(lock.name))"
                            + "</script>")))
            .consoleListener(message -> lines.add(message.text()))
            .build()) {
      userAgent.open("https://app.test/").loaded().join();
      granted = lines.poll(1, TimeUnit.MINUTES); // a
    }
    // @end
    assertEquals("a", granted);
  }
}
