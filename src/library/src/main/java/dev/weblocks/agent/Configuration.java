package dev.weblocks.agent;

import dev.weblocks.model.LimitListener;
import dev.weblocks.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a user agent. Complete before the user agent is made, and not changed
 * afterwards. The options declared here concern this package; each higher package has a {@link
 * Part} of its own type.
 */
public final class Configuration {

  /** The part for one higher package; there is at most one part of each class. */
  public interface Part {}

  final Driver driver;
  final ContextFactory contextFactory;
  final FailureListener failureListener;
  @Nullable Trace trace;
  @Nullable AgentWatcher watcher;
  @Nullable VirtualWorld virtualWorld;
  ModuleLoader.@Nullable Factory moduleLoaders;
  LimitListener limitListener = event -> {};
  String actorPrefix = "";
  private final RandomSource random;
  private Limits limits = Limits.DEFAULT;
  private final List<Part> parts = new ArrayList<>();

  /**
   * Creates a configuration with the default of each option.
   *
   * @param contextFactory makes the contexts that agents own
   * @param failureListener receives defects of the library
   */
  public Configuration(
      Driver driver,
      RandomSource random,
      ContextFactory contextFactory,
      FailureListener failureListener) {
    this.driver = driver;
    this.random = random;
    this.contextFactory = contextFactory;
    this.failureListener = failureListener;
  }

  /** Sets the trace; default is null, for none. */
  public Configuration trace(@Nullable Trace value) {
    trace = value;
    return this;
  }

  /** Sets the watcher of agents; default is none. */
  public Configuration watcher(AgentWatcher value) {
    watcher = value;
    return this;
  }

  /** Hides the machine from script; default is null, which hides nothing. */
  public Configuration virtualWorld(@Nullable VirtualWorld value) {
    virtualWorld = value;
    return this;
  }

  /** Sets the factory of module loaders; default is none, so that scripts cannot import. */
  public Configuration moduleLoaders(ModuleLoader.Factory value) {
    moduleLoaders = value;
    return this;
  }

  /** Sets the limits; default is {@link Limits#DEFAULT}. */
  public Configuration limits(Limits value) {
    limits = value;
    return this;
  }

  /** Sets the listener for reached limits; default is none. */
  public Configuration limitListener(LimitListener value) {
    limitListener = value;
    return this;
  }

  /**
   * Sets the prefix of the names of all actors, so that those of several user agents differ for a
   * schedule; default is none.
   */
  public Configuration actorPrefix(String value) {
    actorPrefix = value;
    return this;
  }

  /** Adds the part of a package. */
  public Configuration with(Part part) {
    parts.add(part);
    return this;
  }

  /** Returns the source of identifiers and of the random values of script. */
  public RandomSource random() {
    return random;
  }

  /** Returns the limits of scripts and of waits for them. */
  public Limits limits() {
    return limits;
  }

  /** Returns whether script cannot see the machine's clock, randomness, time zone or language. */
  public boolean isVirtual() {
    return virtualWorld != null;
  }

  /**
   * Returns the part that is an instance of the class; the result of {@code otherwise} if none is.
   */
  public <T extends Part> T part(Class<T> type, Supplier<T> otherwise) {
    T found = find(type);
    return found == null ? otherwise.get() : found;
  }

  /** Returns the part that is an instance of the class; null if none is. */
  public <T extends Part> @Nullable T find(Class<T> type) {
    for (Part part : parts) { // few
      if (type.isInstance(part)) {
        return type.cast(part);
      }
    }
    return null;
  }
}
