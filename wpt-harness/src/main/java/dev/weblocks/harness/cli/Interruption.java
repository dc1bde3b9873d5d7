package dev.weblocks.harness.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The interrupt by the user of a command that runs until it comes. Closed after the last output.
 */
final class Interruption implements AutoCloseable {

  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CliEnvironment cli;
  private final Runnable deafen;

  Interruption(CliEnvironment cli, RunEnvironment.Interrupts interrupts) {
    this.cli = cli;
    this.deafen = interrupts.listen(interrupted::countDown, ended);
  }

  void await() throws InterruptedException {
    interrupted.await();
  }

  /** Waits for an interrupt, but not longer than {@code time}; returns whether it came. */
  boolean await(Duration time) throws InterruptedException {
    return interrupted.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    cli.out().flush();
    ended.countDown();
    deafen.run();
  }
}
