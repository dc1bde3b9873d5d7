package dev.weblocks.agent;

import dev.weblocks.model.LimitListener;
import dev.weblocks.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a user agent. Immutable; complete before the user agent is made. The options
 * declared here concern this package; each higher package has a {@link Part} of its own type.
 */
public final class Configuration {

  /** The part for one higher package; there is at most one part of each class. */
  public interface Part {}

  private final Driver driver;
  private final RandomSource random;
  private final ContextFactory contextFactory;
  private final FailureListener failureListener;
  private final @Nullable Trace trace;
  private final @Nullable AgentWatcher watcher;
  private final @Nullable VirtualWorld virtualWorld;
  private final ModuleLoader.@Nullable Factory moduleLoaders;
  private final Limits limits;
  private final LimitListener limitListener;
  private final String actorPrefix;
  private final List<Part> parts;

  private Configuration(Builder builder) {
    actorPrefix = builder.actorPrefix;
    driver = builder.driver;
    random = builder.random;
    contextFactory = builder.contextFactory;
    failureListener = builder.failureListener;
    trace = builder.trace;
    watcher = builder.watcher;
    virtualWorld = builder.virtualWorld;
    moduleLoaders = builder.moduleLoaders;
    limits = builder.limits;
    limitListener = builder.limitListener;
    parts = List.copyOf(builder.parts);
  }

  /**
   * Returns a builder.
   *
   * @param contextFactory makes the contexts that agents own
   * @param failureListener receives defects of the library
   */
  public static Builder newBuilder(
      Driver driver,
      RandomSource random,
      ContextFactory contextFactory,
      FailureListener failureListener) {
    return new Builder(driver, random, contextFactory, failureListener);
  }

  /** Returns the source of identifiers and of the random values of script. */
  public RandomSource random() {
    return random;
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

  Driver driver() {
    return driver;
  }

  String actorPrefix() {
    return actorPrefix;
  }

  ContextFactory contextFactory() {
    return contextFactory;
  }

  FailureListener failureListener() {
    return failureListener;
  }

  /** Returns the limits of scripts and of waits for them. */
  public Limits limits() {
    return limits;
  }

  LimitListener limitListener() {
    return limitListener;
  }

  @Nullable Trace trace() {
    return trace;
  }

  @Nullable AgentWatcher watcher() {
    return watcher;
  }

  @Nullable VirtualWorld virtualWorld() {
    return virtualWorld;
  }

  ModuleLoader.@Nullable Factory moduleLoaders() {
    return moduleLoaders;
  }

  /** A builder for a configuration. Not thread-safe. */
  public static final class Builder {
    private final Driver driver;
    private final RandomSource random;
    private final ContextFactory contextFactory;
    private final FailureListener failureListener;
    private @Nullable Trace trace;
    private @Nullable AgentWatcher watcher;
    private @Nullable VirtualWorld virtualWorld;
    private ModuleLoader.@Nullable Factory moduleLoaders;
    private Limits limits = Limits.DEFAULT;
    private LimitListener limitListener = event -> {};
    private String actorPrefix = "";
    private final List<Part> parts = new ArrayList<>();

    private Builder(
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
    public Builder trace(@Nullable Trace value) {
      trace = value;
      return this;
    }

    /** Sets the watcher of agents; default is none. */
    public Builder watcher(AgentWatcher value) {
      watcher = value;
      return this;
    }

    /** Hides the machine from script; default is null, which hides nothing. */
    public Builder virtualWorld(@Nullable VirtualWorld value) {
      virtualWorld = value;
      return this;
    }

    /** Sets the factory of module loaders; default is none, so that scripts cannot import. */
    public Builder moduleLoaders(ModuleLoader.Factory value) {
      moduleLoaders = value;
      return this;
    }

    /** Sets the limits; default is {@link Limits#DEFAULT}. */
    public Builder limits(Limits value) {
      limits = value;
      return this;
    }

    /** Sets the listener for reached limits; default is none. */
    public Builder limitListener(LimitListener value) {
      limitListener = value;
      return this;
    }

    /**
     * Sets the prefix of the names of all actors, so that those of several user agents differ for a
     * schedule; default is none.
     */
    public Builder actorPrefix(String value) {
      actorPrefix = value;
      return this;
    }

    /** Adds the part of a package. */
    public Builder with(Part part) {
      parts.add(part);
      return this;
    }

    public Configuration build() {
      return new Configuration(this);
    }
  }
}
