package dev.weblocks.agent;

/** An actor under another name. */
record PrefixedActor(String prefix, Actor actor) implements Actor {

  @Override
  public String name() {
    return prefix + actor.name();
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
