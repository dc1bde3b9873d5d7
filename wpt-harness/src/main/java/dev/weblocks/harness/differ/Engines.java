package dev.weblocks.harness.differ;

import dev.weblocks.embed.Environment;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The engines that programs can run in, by name. Belongs to one thread. */
public final class Engines implements AutoCloseable {

  /** Starts an engine. */
  @FunctionalInterface
  public interface Maker {
    /**
     * Starts the engine.
     *
     * @throws IOException if it does not start; the message is for the user
     */
    Engine make(EngineSettings settings) throws IOException;
  }

  private final SortedMap<String, Maker> makers;

  /** The environment of the engines of Weblocks; null until the first one starts. */
  private @Nullable Environment environment;

  private Engines(SortedMap<String, Maker> makers) {
    this.makers = makers;
  }

  /** Creates a registry of the given engines. */
  public static Engines of(SortedMap<String, Maker> makers) {
    return new Engines(Collections.unmodifiableSortedMap(new TreeMap<>(makers)));
  }

  /**
   * Returns all engines that this version can start.
   *
   * @param environments creates the environment of Weblocks, which is closed with the registry
   * @param others further engines
   */
  public static Engines all(Supplier<Environment> environments, SortedMap<String, Maker> others) {
    SortedMap<String, Maker> makers = new TreeMap<>(others);
    Engines engines = new Engines(makers);
    makers.put(
        WeblocksEngine.NAME,
        settings -> {
          Environment shared = engines.environment;
          if (shared == null) {
            shared = environments.get();
            engines.environment = shared;
          }
          return new WeblocksEngine(settings, shared);
        });
    return engines;
  }

  /** Returns the names of the engines. */
  public SortedSet<String> names() {
    return new TreeSet<>(makers.keySet());
  }

  /**
   * Starts an engine.
   *
   * @param name one of {@link #names()}
   * @throws IOException if it does not start; the message is for the user
   */
  Engine make(String name, EngineSettings settings) throws IOException {
    Maker maker = makers.get(name);
    if (maker == null) {
      throw new IllegalArgumentException("no engine " + name);
    }
    return maker.make(settings);
  }

  /** Closes what the engines share. To be called after they are closed. */
  @Override
  public void close() {
    if (environment != null) {
      environment.close();
    }
  }
}
