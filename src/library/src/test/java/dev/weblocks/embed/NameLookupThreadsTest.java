package dev.weblocks.embed;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** HTTP requests while all threads of the common pool wait. */
@Isolated("other classes use the common pool")
class NameLookupThreadsTest {

  /** A timeout that only a hang reaches. */
  private static final long LIMIT_SECONDS = 60;

  /** More than the threads that the common pool may have. */
  private static final int MANY = 400;

  @Test
  void request_that_gets_no_thread_fails_before_its_timeout() {
    CountDownLatch answered = new CountDownLatch(1);
    HttpOptions options =
        HttpOptions.newBuilder()
            .timeout(Duration.ofDays(1))
            .addresses((request, address) -> {
              try {
                answered.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
              return false;
            })
            .build();
    ResourceRequest request =
        new ResourceRequest("GET", "http://127.0.0.1/", List.of(), new byte[0]);
    CompletableFuture<?>[] answers = new CompletableFuture<?>[MANY];
    try (ResourceLoader http = ResourceLoader.http(options)) {
      for (int i = 0; i < MANY; i++) {
        answers[i] = http.load(request).toCompletableFuture();
      }
      ExecutionException failed =
          assertThrows(
              ExecutionException.class,
              () -> CompletableFuture.anyOf(answers).get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertInstanceOf(RejectedExecutionException.class, failed.getCause());
    } finally {
      answered.countDown();
      CompletableFuture.allOf(answers)
          .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
          .exceptionally(refused -> null)
          .join();
    }
  }
}
