package dev.weblocks.agent;

import dev.weblocks.model.Ending;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The ends of several agents as one. */
public final class Endings {

  private Endings() {}

  /**
   * Terminates agents. Callable on any thread.
   *
   * @return see {@link #allOf}
   */
  public static CompletableFuture<Ending> ofAgents(Collection<Agent> agents) {
    return allOf(agents.stream().map(agent -> agent.terminate().toCompletableFuture()).toList());
  }

  /**
   * Returns a future that completes when all of the given ones have completed: with {@link
   * Ending#CUT_OFF} if one of them has this value, otherwise with {@link Ending#STOPPED}. It
   * completes exceptionally if one of them does.
   */
  public static CompletableFuture<Ending> allOf(List<CompletableFuture<Ending>> endings) {
    return CompletableFuture.allOf(endings.toArray(CompletableFuture<?>[]::new))
        .thenApply(all ->
            endings.stream().anyMatch(ending -> ending.join() == Ending.CUT_OFF)
                ? Ending.CUT_OFF
                : Ending.STOPPED);
  }
}
