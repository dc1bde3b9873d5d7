package dev.weblocks.explore;

import dev.weblocks.embed.Environment;
import org.graalvm.polyglot.Engine;

/** The environment of user agents and the engine of contexts, which explorations may share. */
record SharedEngine(Environment environment, Engine engine) implements AutoCloseable {

  static SharedEngine create() {
    return new SharedEngine(
        Environment.create(),
        Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build());
  }

  /** Ends the scripts of an abandoned run, too. */
  @Override
  public void close() {
    environment.close();
    engine.close(true);
  }
}
