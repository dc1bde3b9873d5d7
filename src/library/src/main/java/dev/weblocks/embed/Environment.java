package dev.weblocks.embed;

import dev.weblocks.agent.ContextCloser;
import dev.weblocks.agent.EngineVersions;
import dev.weblocks.agent.EngineWarmUp;
import dev.weblocks.agent.VirtualWorld;
import dev.weblocks.binding.Platform;
import dev.weblocks.binding.PlatformModule;
import dev.weblocks.console.ConsoleModule;
import dev.weblocks.crypto.CryptoModule;
import dev.weblocks.dom.DomModule;
import dev.weblocks.encoding.EncodingModule;
import dev.weblocks.fetch.FetchModule;
import dev.weblocks.file.FileModule;
import dev.weblocks.global.GlobalModule;
import dev.weblocks.global.GlobalScope;
import dev.weblocks.html.HtmlModule;
import dev.weblocks.html.UiEventsModule;
import dev.weblocks.installation.InstallationModule;
import dev.weblocks.locks.LocksModule;
import dev.weblocks.locks.earlydraft.EarlyDraftModule;
import dev.weblocks.messaging.MessagingModule;
import dev.weblocks.model.Variant;
import dev.weblocks.serviceworkers.ServiceWorkersModule;
import dev.weblocks.storage.StorageModule;
import dev.weblocks.url.UrlModule;
import dev.weblocks.workers.WorkersModule;
import dev.weblocks.xhr.FileReaderModule;
import dev.weblocks.xhr.XhrModule;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.graalvm.options.OptionDescriptors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.ResourceLimits;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/**
 * The stateless resources that user agents may share: a polyglot engine with its code cache, and
 * the compiled web interfaces. A user agent makes its own environment unless {@link
 * UserAgent.Builder#environment} gives it one; sharing makes every further user agent cheaper.
 * Script of one user agent cannot observe another user agent through the environment. Close an
 * environment after its user agents. Thread-safe.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="environment"}
 */
public final class Environment implements AutoCloseable {

  /**
   * The host access in contexts of the library: only byte buffers, which are never exposed to
   * pages.
   */
  private static final HostAccess BYTES_ONLY =
      HostAccess.newBuilder(HostAccess.NONE).allowBufferAccess(true).build();

  /**
   * The engine's options for text and bytes as modules, which only newer engines have. They are off
   * since such a module would be the text that the loader makes for a failed or a rewritten script.
   */
  private static final List<String> RAW_IMPORTS = List.of("js.import-text", "js.import-bytes");

  /** How long {@link #close()} waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final boolean warmUp;
  private final boolean webAssembly;

  /** The engine; null until it is needed. Guarded by this. */
  private @Nullable Engine engine;

  private final Platform platform;

  /** The web interfaces for each used set of variants that change them. Guarded by this map. */
  private final Map<Set<Variant>, Platform> platformsOfVariants = new HashMap<>();

  /** Not private: some tests need engines with options that the builder has not. */
  Environment(@Nullable Engine engine, boolean warmUp, boolean webAssembly) {
    this.engine = engine;
    this.warmUp = warmUp;
    this.webAssembly = webAssembly;
    if (engine != null) {
      warmUp();
    }
    // not in parallel: two threads that initialize the same classes may wait for each other forever
    platform = newPlatform(Set.of());
  }

  /** Creates an environment with the defaults of its builder; takes a few hundred milliseconds. */
  public static Environment create() {
    return newBuilder().build();
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /** A builder for an environment. Not thread-safe. */
  public static final class Builder {
    private boolean warmUp = true;
    private boolean webAssembly;
    private int inspectorPort;
    private @Nullable OutputStream announcements;

    private Builder() {}

    /**
     * Sets whether to protect the JVM against stack overflows of scripts; default is true. Takes
     * one to two seconds in a cold JVM, once, before the first window or installation. False saves
     * this, for trusted scripts: if one overflows the stack, parts of the engine may stay broken
     * for the whole JVM.
     */
    public Builder warmUp(boolean warmUp) {
      this.warmUp = warmUp;
      return this;
    }

    /**
     * Enables debugging with Chrome DevTools; default is off. Every process on this machine that
     * can connect to the port can debug the scripts. No script runs before DevTools are attached
     * and allow it. The engine is not warmed up.
     *
     * @param port on the loopback interface, from 0 to 65535; 0 for any free port
     * @param announcements gets the URL to open, as human-readable lines
     * @throws IllegalArgumentException if the port is out of range
     */
    public Builder inspector(int port, OutputStream announcements) {
      Objects.requireNonNull(announcements, "announcements");
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("port is " + port + "; use one from 0 to 65535");
      }
      this.inspectorPort = port;
      this.announcements = announcements;
      return this;
    }

    /**
     * Sets whether script of windows and workers has {@code WebAssembly}; default is false. Needs
     * {@code org.graalvm.wasm:wasm-language} on the class path, which this library does not bring.
     * For an installation, the embedder enables it in its own context.
     */
    public Builder webAssembly(boolean webAssembly) {
      this.webAssembly = webAssembly;
      return this;
    }

    /**
     * Creates an environment.
     *
     * @throws UnsupportedOperationException if an inspector was requested, but {@code
     *     org.graalvm.tools:chromeinspector-tool} of the engine's version is not on the class path,
     *     or WebAssembly was requested, but {@code org.graalvm.wasm:wasm-language} is not
     * @throws IllegalStateException if the port of the inspector cannot be opened, or the parts of
     *     GraalJS in the build of the embedder do not fit together
     */
    public Environment build() {
      EngineVersions.require();
      Engine engine = engineBuilder(webAssembly).build();
      String missing = missingPart(engine);
      if (missing != null) {
        engine.close();
        throw new UnsupportedOperationException(missing);
      }
      if (announcements == null) {
        return new Environment(engine, warmUp, webAssembly);
      }
      engine.close(); // it has no inspector, whose options it would have refused if that is missing
      return new Environment(
          newInspectedEngine(inspectorPort, announcements, webAssembly), false, webAssembly);
    }

    private @Nullable String missingPart(Engine engine) {
      if (webAssembly && !engine.getLanguages().containsKey("wasm")) {
        return "GraalWasm is not on the class path: add org.graalvm.wasm:wasm-language";
      }
      return announcements != null && !engine.getInstruments().containsKey("inspect")
          ? "the inspector is not on the class path: add org.graalvm.tools:chromeinspector-tool"
          : null;
    }
  }

  /** Returns an environment that makes and warms up its engine on first use. */
  static Environment whenNeeded() {
    return new Environment(null, true, false);
  }

  private static Engine.Builder engineBuilder(boolean webAssembly) {
    return (webAssembly ? Engine.newBuilder("js", "wasm") : Engine.newBuilder("js"))
        .option("engine.WarnInterpreterOnly", "false");
  }

  private static Engine newInspectedEngine(
      int port, OutputStream announcements, boolean webAssembly) {
    requireFree(port); // otherwise the engine would wait forever
    try {
      return engineBuilder(webAssembly)
          .option("inspect", Integer.toString(port)) // on the loopback interface, by its default
          .option("inspect.Suspend", "false")
          .option("inspect.WaitAttached", "true")
          .err(announcements)
          .build();
    } catch (IllegalArgumentException | PolyglotException failed) {
      throw new IllegalStateException(failed.getMessage(), failed);
    }
  }

  private static void requireFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      probe.getLocalPort();
    } catch (IOException taken) {
      throw new IllegalStateException(
          "port " + port + " cannot be opened: " + taken.getMessage() + "; use another port",
          taken);
    }
  }

  /** Initializes the classes that script can reach, unless the builder has excluded it. */
  void warmUp() {
    if (warmUp) {
      EngineWarmUp.run();
      UrlModule.warmUp();
    }
  }

  private synchronized Engine engine() {
    Engine made = engine;
    if (made == null) {
      warmUp();
      made = engineBuilder(webAssembly).build();
      engine = made;
    }
    return made;
  }

  /** Creates a context; {@code virtual} sets the time zone and language of {@link VirtualWorld}. */
  Context newContext(IOAccess modules, @Nullable ResourceLimits limits, boolean virtual) {
    Context.Builder builder =
        (webAssembly ? Context.newBuilder("js", "wasm") : Context.newBuilder("js"))
            .engine(engine())
            .allowHostAccess(BYTES_ONLY)
            .allowIO(modules)
            .allowValueSharing(false)
            .option("js.ecmascript-version", "staging")
            .allowExperimentalOptions(true) // for the next two
            .option("js.stack-trace-api", "true") // Error.captureStackTrace() and stackTraceLimit
            .option("js.esm-bare-specifier-relative-lookup", "true") // gives loaders the importer
            .option("js.unhandled-rejections", "handler");
    OptionDescriptors known =
        Objects.requireNonNull(engine().getLanguages().get("js")).getOptions();
    for (String option : RAW_IMPORTS) {
      if (known.get(option) != null) {
        builder.option(option, "false");
      }
    }
    if (limits != null) {
      builder.resourceLimits(limits);
    }
    if (webAssembly) { // which the engine evaluates as another language
      builder
          .allowPolyglotAccess(
              PolyglotAccess.newBuilder()
                  .allowEvalBetween("js", "wasm")
                  .allowBindingsAccess("js")
                  .allowBindingsAccess("wasm")
                  .build())
          .option("js.polyglot-builtin", "false")
          .option("js.webassembly", "true");
    }
    if (virtual) {
      builder.timeZone(VirtualWorld.ZONE).option("js.locale", VirtualWorld.LOCALE.toLanguageTag());
    }
    return builder.build();
  }

  /**
   * Returns the JavaScript that the binding generates for an interface or a namespace: for windows,
   * or for workers if it is exposed only there. For debugging; its form may change.
   *
   * @param name the identifier in the IDL
   * @return null if there is no such interface
   */
  public @Nullable String generatedCode(String name) {
    Objects.requireNonNull(name, "name");
    for (Set<String> globalNames :
        List.of(
            Set.of("Window"),
            Set.of("Worker", "DedicatedWorker"),
            Set.of("Worker", "SharedWorker"),
            Set.of("Worker", "ServiceWorker"))) {
      String code = platform.generatedCode(globalNames, name);
      if (code != null) {
        return code;
      }
    }
    return null;
  }

  /** Returns the web interfaces as the given variants change them; most variants change none. */
  Platform platform(Set<Variant> variants) {
    Set<Variant> changing =
        variants.contains(Variant.EARLY_DRAFT)
            ? variants // it excludes all others
            : LocksModule.changingInterfaces(variants);
    if (changing.isEmpty()) {
      return platform;
    }
    synchronized (platformsOfVariants) {
      return platformsOfVariants.computeIfAbsent(changing, all -> newPlatform(all));
    }
  }

  private static Platform newPlatform(Set<Variant> variants) {
    List<PlatformModule> modules = new ArrayList<>();
    modules.addAll(
        List.of(
            new UrlModule(),
            new DomModule(),
            new GlobalModule(),
            new ConsoleModule(),
            new CryptoModule(),
            new MessagingModule(),
            new EncodingModule(),
            new FileModule(),
            new FetchModule(),
            new XhrModule(),
            new FileReaderModule(),
            new WorkersModule(),
            new HtmlModule(),
            new UiEventsModule(),
            new StorageModule()));
    if (variants.contains(Variant.EARLY_DRAFT)) {
      modules.add(new EarlyDraftModule());
    } else {
      modules.addAll(LocksModule.modules(variants));
    }
    modules.add(new ServiceWorkersModule());
    modules.add(new InstallationModule());
    return Platform.of(
        modules, (realm, exception) -> GlobalScope.of(realm).reportException(exception));
  }

  /**
   * Ends the engine with all its contexts. Waits until their script has been stopped, but five
   * seconds at most: script that cannot be stopped delays the end of the engine. Close the user
   * agents first. Idempotent.
   */
  @Override
  public synchronized void close() {
    Engine closing = engine;
    if (closing != null) {
      boolean unused = ContextCloser.close(() -> closing.close(true), "engine", PATIENCE.toNanos());
    }
  }
}
