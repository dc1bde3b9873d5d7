package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A future that a turn of an agent completes; blocking on it in a turn of that agent fails. */
final class TurnFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  private final Agent agent;

  TurnFuture(Agent agent) {
    this.agent = agent;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new TurnFuture<>(agent);
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    checkThatItCanCome();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    checkThatItCanCome();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    checkThatItCanCome();
    return super.join();
  }

  private void checkThatItCanCome() {
    if (!isDone() && agent.eventLoop().isOnLoop()) {
      throw new IllegalStateException(
          "a callback of "
              + agent.name()
              + " cannot wait for a later turn of its own event loop; use thenAccept(), or wait on"
              + " another thread");
    }
  }
}
