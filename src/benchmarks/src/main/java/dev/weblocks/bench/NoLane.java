package dev.weblocks.bench;

import dev.weblocks.agent.Driver;

/** A lane of a queue whose turns the benchmark runs. */
record NoLane() implements Driver.Lane {
  @Override
  public void wake() {}

  @Override
  public void detach() {}
}
