package dev.weblocks.embed;

import dev.weblocks.agent.Agent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The end of a user agent: stops its agents and waits for them. */
final class UserAgentEnd {

  private final dev.weblocks.agent.UserAgent userAgent;
  private final Duration patience;
  private final CompletableFuture<Void> listeners;
  private final CompletableFuture<Void> agents;

  /** Begins the end; patience is the maximum time to wait for installations. */
  UserAgentEnd(dev.weblocks.agent.UserAgent userAgent, Duration patience) {
    this.userAgent = userAgent;
    this.patience = patience;
    this.listeners = LockClients.of(userAgent).closeAll();
    this.agents = userAgent.close().toCompletableFuture();
  }

  boolean agentsHaveEnded() {
    return agents.isDone();
  }

  /** Returns whether the ends of the lock clients have completed all futures that they affect. */
  boolean listenersHaveRun() {
    return listeners.isDone();
  }

  /** Returns a future that completes with the end of all agents, or when patience is exhausted. */
  CompletableFuture<Void> agentsWithinPatience() {
    return userAgent
        .driver()
        .delays()
        .orTimeout(agents.copy(), Math.max(1, Driver.nanos(patience)));
  }

  /**
   * Waits until all agents have ended. Throws if an installation has not ended within the patience:
   * its current turn may never end.
   */
  void await() {
    while (true) {
      try {
        agentsWithinPatience().join(); // not get(), which an interruption ends
        return;
      } catch (CompletionException failed) {
        if (!(failed.getCause() instanceof TimeoutException)) {
          throw failed;
        }
        refuseToWaitForInstallations();
      }
    }
  }

  /** Throws if an installation has not ended; all other agents end by themselves. */
  void refuseToWaitForInstallations() {
    String left =
        userAgent.agents().stream()
            .filter(agent -> !agent.ownsContext())
            .map(Agent::name)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!left.isEmpty()) {
      throw new IllegalStateException(
          "not closed after "
              + Driver.text(patience)
              + ": "
              + left
              + " still runs script or host code; call UserAgent.cancelScripts() or"
              + " Context.close(true), and then UserAgent.close() again");
    }
  }
}
