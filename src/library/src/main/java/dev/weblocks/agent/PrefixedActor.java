package dev.weblocks.agent;

import java.util.function.Consumer;

/**
 * An actor under another name.
 *
 * @param onLost gets the failure of {@link #isLost}
 */
record PrefixedActor(String prefix, Actor actor, Consumer<Throwable> onLost) implements Actor {

  @Override
  public String name() {
    return prefix + actor.name();
  }

  @Override
  public void isLost(Throwable failure) {
    onLost.accept(failure);
  }

  @Override
  public String nextStep() {
    return actor.nextStep();
  }

  @Override
  public boolean runTurn() {
    return actor.runTurn();
  }

  @Override
  public boolean hasWork() {
    return actor.hasWork();
  }

  @Override
  public long nextDeadline() {
    return actor.nextDeadline();
  }
}
