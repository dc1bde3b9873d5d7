package dev.weblocks.bench;

import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Globals;
import dev.weblocks.embed.UserAgent;
import java.util.concurrent.CompletableFuture;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/** A user agent that makes contexts with and without its globals. */
final class Installations implements AutoCloseable {

  /** No installation: the cost of the context alone. */
  static final String NONE = "none";

  private final Driver driver = Driver.threadPool(1);
  private final UserAgent userAgent =
      UserAgent.newBuilder()
          .driver(driver)
          .resourceLoader( // never used; enables fetch() and Worker
              request -> CompletableFuture.failedFuture(new IllegalStateException(request.url())))
          .build();

  /** The shared engine; null if each context has its own. */
  private final @Nullable Engine engine;

  private final String globals;

  /**
   * Opens the user agent.
   *
   * @param engine {@code shared} or {@code own}
   * @param globals {@link #NONE}, {@code some} or {@code all}
   */
  Installations(String engine, String globals) {
    this.engine = engine.equals("shared") ? Engine.create("js") : null;
    this.globals = globals;
  }

  UserAgent userAgent() {
    return userAgent;
  }

  /** Creates a context and runs a script in it, since the engine does most of the work lazily. */
  Context newContext() {
    Context.Builder builder = Context.newBuilder("js");
    if (engine != null) {
      builder.engine(engine);
    }
    Context context = builder.build();
    context.eval("js", "0");
    return context;
  }

  /** Installs the globals, if any; closing the result ends the installation. */
  AutoCloseable install(Context context) {
    return switch (globals) {
      case NONE -> () -> {};
      case "some" ->
          userAgent
              .installInto(context)
              .globals(Globals.TIMERS, Globals.EVENTS, Globals.LOCKS)
              .install();
      case "all" -> userAgent.installInto(context).install();
      default -> throw new IllegalArgumentException(globals);
    };
  }

  @Override
  public void close() {
    userAgent.close();
    driver.close();
    if (engine != null) {
      engine.close();
    }
  }
}
