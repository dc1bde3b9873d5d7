package dev.weblocks.harness.wpt.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.wpt.report.ReportFiles.Outcome;
import dev.weblocks.harness.wpt.report.ReportFiles.Request;
import dev.weblocks.harness.wpt.report.ReportFiles.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFilesTest {

  @TempDir Path dir;

  private Request request(String option, String file) {
    return new Request(option, dir.resolve(file), run -> option + " " + run.interrupted());
  }

  private void assertUnusable(String message, Request... requests) {
    assertEquals(
        message,
        assertThrows(
                UnusableException.class,
                () -> ReportFiles.of(List.of(requests), Map.of(), Map.of()))
            .getMessage());
  }

  @Test
  void each_file_gets_its_format() throws Exception {
    ReportFiles files =
        ReportFiles.of(List.of(request("--a", "a"), request("--b", "b")), Map.of(), Map.of());

    Outcome outcome = files.write(Runs.empty());

    assertEquals(List.of(dir.resolve("a"), dir.resolve("b")), outcome.written());
    assertEquals(List.of(), outcome.problems());
    assertEquals("--a false", Files.readString(dir.resolve("a")));
    assertEquals("--b false", Files.readString(dir.resolve("b")));
  }

  @Test
  void checking_the_files_creates_none() throws Exception {
    ReportFiles.of(List.of(request("--a", "a")), Map.of(), Map.of());

    assertEquals(0, dir.toFile().list().length);
  }

  @Test
  void unusable_files_are_named_with_their_option() {
    assertUnusable(
        "--a "
            + dir.resolve("no/a")
            + " cannot be written: the directory "
            + dir.resolve("no")
            + " does not exist",
        request("--a", "no/a"));
    assertUnusable(
        "--a " + dir + " cannot be written: " + dir + " is a directory; name a file",
        new Request("--a", dir, run -> ""));
  }

  @Test
  void two_options_cannot_have_the_same_file() throws IOException {
    Files.createSymbolicLink(dir.resolve("link"), Path.of("a"));

    assertUnusable(
        "--b " + dir.resolve("link") + " names the same file as --a: use another file",
        request("--a", "a"),
        request("--b", "link"));
  }

  @Test
  void only_the_first_write_takes_effect() throws Exception {
    ReportFiles files = ReportFiles.of(List.of(request("--a", "a")), Map.of(), Map.of());

    files.write(Runs.interrupted());
    Outcome second = files.write(Runs.empty());

    assertEquals(List.of(), second.written());
    assertEquals("--a true", Files.readString(dir.resolve("a")));
  }

  @Test
  void second_write_waits_until_the_first_is_complete() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger texts = new AtomicInteger();
    Request slow =
        new Request(
            "--a",
            dir.resolve("a"),
            run -> {
              texts.incrementAndGet();
              writing.countDown();
              await(goOn);
              return "whole";
            });
    ReportFiles files = ReportFiles.of(List.of(slow), Map.of(), Map.of());
    FutureTask<Outcome> first = new FutureTask<>(() -> files.write(Runs.empty()));
    FutureTask<String> second =
        new FutureTask<>(() -> {
          files.write(Runs.interrupted());
          return Files.readString(dir.resolve("a"));
        });
    new Thread(first).start();
    writing.await();
    Thread waiting = new Thread(second);
    waiting.start();
    while (waiting.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
    goOn.countDown();

    assertEquals("whole", second.get());
    assertEquals(1, first.get().written().size());
    assertEquals(1, texts.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void file_that_becomes_unwritable_does_not_prevent_others() throws Exception {
    Path gone = Files.createDirectory(dir.resolve("gone"));
    ReportFiles files =
        ReportFiles.of(List.of(request("--a", "gone/a"), request("--b", "b")), Map.of(), Map.of());
    Files.delete(gone);

    Outcome outcome = files.write(Runs.empty());

    assertEquals(List.of(dir.resolve("b")), outcome.written());
    assertEquals(1, outcome.problems().size());
    assertTrue(
        outcome.problems().get(0).startsWith("--a " + gone.resolve("a") + " cannot be written: "),
        outcome.problems()::toString);
  }
}
