package dev.weblocks.cluster.simulated;

import dev.weblocks.agent.Actor;
import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Driver;
import dev.weblocks.agent.TurnGuard;
import dev.weblocks.cluster.session.ClusterLocks;
import dev.weblocks.lockmanager.LockWatcher;
import dev.weblocks.lockmanager.message.LockCommand.RequestLock;
import dev.weblocks.lockmanager.message.LockEffect;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.locks.RemoteLocks;
import dev.weblocks.model.Variant;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that checks before each turn that no client has a lock beyond its lease. */
final class CheckingConnection implements RemoteLocks.Connection {

  private final RemoteLocks.Connection connection;
  private final boolean looks;
  private final Consumer<String> violations;
  private @Nullable ClusterLocks service;

  CheckingConnection(
      RemoteLocks.Connection connection, boolean looks, Consumer<String> violations) {
    this.connection = connection;
    this.looks = looks;
    this.violations = violations;
  }

  void watch(ClusterLocks checked) {
    service = checked;
  }

  @Override
  public void guardTurns(TurnGuard guard) {
    connection.guardTurns(() -> {
      if (looks) {
        guard.beforeTurn();
      }
      ClusterLocks checked = service;
      if (checked != null && checked.hasLockBeyondLease()) {
        violations.accept("a turn begins with a lock beyond its lease: " + checked);
      }
    });
  }

  @Override
  public Clock clock() {
    return connection.clock();
  }

  @Override
  public Set<Variant> variants() {
    return connection.variants();
  }

  @Override
  public @Nullable LockWatcher watcher() {
    return connection.watcher();
  }

  @Override
  public void queueSteps(String label, Runnable steps) {
    connection.queueSteps(label, steps);
  }

  @Override
  public void runSteps() {
    connection.runSteps();
  }

  @Override
  public void delivers(
      LockEffect effect, @Nullable RequestLock request, LockRequester requester, long logIndex) {
    connection.delivers(effect, request, requester, logIndex);
  }

  @Override
  public void beginActivity() {
    connection.beginActivity();
  }

  @Override
  public void endActivity() {
    connection.endActivity();
  }

  @Override
  public Driver.Lane attach(Actor actor, boolean counts) {
    return connection.attach(actor, counts);
  }

  @Override
  public void reaches(String way) {
    connection.reaches(way);
  }

  @Override
  public void onClosed(Runnable action) {
    connection.onClosed(action);
  }
}
