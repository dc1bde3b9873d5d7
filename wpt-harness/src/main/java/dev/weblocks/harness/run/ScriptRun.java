package dev.weblocks.harness.run;

import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.model.ConsoleListener;
import dev.weblocks.model.ConsoleMessage;
import dev.weblocks.model.LockEntry;
import dev.weblocks.model.UncaughtError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A run of programs in one user agent. Each program runs in an agent of its own. Thread-safe. */
public final class ScriptRun implements AutoCloseable {

  /** The output of the agents, line by line. Called on any thread, never concurrently. */
  public interface Output {
    /** Writes console output of the level {@code info} or lower. */
    void out(String text);

    /** Writes a warning or an error. */
    void err(String text);

    /** Writes an uncaught error as the given text. */
    default void uncaught(UncaughtError error, String text) {
      err(text);
    }

    /**
     * Called before each report of an error that results from a lack of memory. After that, agents
     * may fail at any point, and the run opens no more agents.
     */
    default void outOfMemory() {}
  }

  /**
   * The settings of a run.
   *
   * @param driver closed with the run
   * @param random source of identifiers; null for the system's source
   * @param environment closed with the run, except by {@link #closeAgents()}
   * @param hidden when the windows are hidden; null for never
   * @param configuration further configuration of the user agent
   */
  public record Scheduling(
      Driver driver,
      @Nullable RandomGenerator random,
      Environment environment,
      @Nullable HiddenTime hidden,
      Consumer<UserAgent.Builder> configuration) {}

  private record Agent(String label, String page) {}

  private final Site site;
  private final Output output;
  private final ErrorText errors;
  private final List<Agent> agents = new ArrayList<>();

  /** Labels of windows, by the names of their agents; guarded by this. */
  private final Map<String, String> labels = new HashMap<>();

  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean outOfMemory;
  private volatile boolean cancelled;
  private final Scheduling scheduling;
  private final UserAgent userAgent;

  /** Completes after the last change of visibility. */
  private final CompletableFuture<Void> visibilityIsFinal = new CompletableFuture<>();

  /**
   * Prepares a run; nothing happens before {@link #start()}.
   *
   * @param programs each becomes an agent
   */
  public ScriptRun(Site site, List<Program> programs, Scheduling scheduling, Output output) {
    this(site, programs, -1, scheduling, output);
  }

  /** Prepares a run of one of the programs, with the label that it has among all of them. */
  public static ScriptRun ofOne(
      Site site, List<Program> programs, int index, Scheduling scheduling, Output output) {
    return new ScriptRun(site, programs, index, scheduling, output);
  }

  /** Prepares a run of all programs, or of the one with the index {@code only} unless it is -1. */
  private ScriptRun(
      Site site, List<Program> programs, int only, Scheduling scheduling, Output output) {
    this.site = site;
    this.output = output;
    this.errors = new ErrorText(site);
    this.scheduling = scheduling;
    Map<String, Integer> total = new LinkedHashMap<>();
    programs.forEach(program -> total.merge(program.label(), 1, Integer::sum));
    Map<String, Integer> seen = new LinkedHashMap<>();
    for (int i = 0; i < programs.size(); i++) {
      Program program = programs.get(i);
      int number = seen.merge(program.label(), 1, Integer::sum);
      boolean unique = total.getOrDefault(program.label(), 1) == 1;
      if (only < 0 || only == i) {
        agents.add(
            new Agent(
                program.label() + (unique ? "" : "#" + number), site.addPage(program, i + 1)));
      }
    }
    UserAgent.Builder builder =
        UserAgent.newBuilder()
            .driver(scheduling.driver())
            .environment(scheduling.environment())
            .resourceLoader(site)
            .lockPositions(true)
            .consoleListener(new Listener())
            .errorListener(this::uncaught);
    if (scheduling.random() != null) {
      builder.random(scheduling.random());
    }
    if (programs.stream().anyMatch(program -> program.imports().nodeModules())) {
      builder.moduleResolver(new NodeModules(site));
    }
    scheduling.configuration().accept(builder);
    this.userAgent = builder.build();
    if (scheduling.hidden() == null) {
      visibilityIsFinal.complete(null);
    }
  }

  /** Opens the windows; stops if the process has run out of memory. Returns at once. */
  public void start() {
    List<Window> windows = new ArrayList<>();
    for (Agent agent : agents) {
      if (!outOfMemory) {
        windows.add(open(agent.label(), agent.page()));
      }
    }
    if (scheduling.hidden() != null) {
      change(windows, scheduling.hidden());
    }
  }

  private void change(List<Window> windows, HiddenTime hidden) {
    Runnable last = () -> visibilityIsFinal.complete(null);
    if (hidden.from() == null) {
      windows.forEach(window -> window.setVisible(false));
    } else {
      at(hidden.from(), windows, false, hidden.to() == null ? last : () -> {});
    }
    if (hidden.to() != null) {
      at(hidden.to(), windows, true, last);
    }
  }

  private void at(Duration delay, List<Window> windows, boolean visible, Runnable andThen) {
    scheduling
        .driver()
        .schedule(
            delay,
            visible ? "show windows" : "hide windows",
            () -> {
              windows.forEach(window -> window.setVisible(visible));
              andThen.run();
            });
  }

  /** Returns the number of programs; each runs in an agent of its own. */
  public int programCount() {
    return agents.size();
  }

  /** Opens one more window with a page of the site. Returns at once. */
  public synchronized Window open(String label, String page) {
    Window window = userAgent.open(page);
    labels.put(window.name(), label);
    window
        .loaded()
        .whenComplete((done, failure) -> {
          Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
          if (cause != null && !(cause instanceof CancellationException) && !cancelled) {
            failed.set(true);
            if (OutOfMemory.isCauseOf(cause)) {
              memoryHasRunOut();
            }
            err(label + " could not be loaded: " + cause.getMessage());
          }
        });
    return window;
  }

  /**
   * Returns a future that completes when all agents are idle, and the visibility of windows does
   * not change any more. To be called after {@link #start()}.
   */
  public CompletableFuture<Void> quiescent() {
    return visibilityIsFinal.thenCompose(done -> userAgent.quiescent());
  }

  /** Returns whether there was an uncaught error, or a page that could not be loaded. */
  public boolean hasFailed() {
    return failed.get();
  }

  /** Returns the currently held and requested locks. */
  public List<LockEntry> locks() {
    return userAgent.locks();
  }

  /**
   * Returns the display name of an agent, from its own name and the URL of its document or script.
   */
  public String label(String agent, String url) {
    String label = labelOfWindow(agent);
    // one script may have many workers, but their agents are numbered
    return label != null ? label : site.name(url) + "#" + agent.replaceFirst(".*-", "");
  }

  /** Returns the display name of an actor: the label of a window, or the actor's own name. */
  public String labelOf(String actor) {
    String label = labelOfWindow(actor);
    return label == null ? actor : label;
  }

  /**
   * Returns the label of a window. Blocks while a window is being opened, because its script may
   * run before the label is stored.
   */
  private synchronized @Nullable String labelOfWindow(String agent) {
    return labels.get(agent);
  }

  /** Replaces URLs of the site's resources in a text by display names. */
  public String withNames(String text) {
    return site.withNames(text);
  }

  private void memoryHasRunOut() {
    outOfMemory = true;
    synchronized (output) {
      output.outOfMemory();
    }
  }

  /** Writes an error into the output of the agents, and marks the run as failed. */
  public void uncaught(UncaughtError error) {
    failed.set(true);
    if (error.outOfMemory()) {
      memoryHasRunOut(); // reported before the text is made, which needs more memory
    }
    String text = prefix(error.agent(), error.url()) + errors.of(error);
    synchronized (output) {
      output.uncaught(error, text);
    }
  }

  /** Writes a warning into the output of the agents. */
  public void err(String text) {
    synchronized (output) {
      output.err(text);
    }
  }

  private String prefix(String agent, String url) {
    boolean alone = agents.size() <= 1 && labelOfWindow(agent) != null;
    return alone ? "" : "[" + label(agent, url) + "] ";
  }

  private final class Listener implements ConsoleListener {
    @Override
    public void message(ConsoleMessage message) {
      String prefix = prefix(message.agent(), message.url());
      String text = prefix + message.text().replace("\n", "\n" + prefix);
      synchronized (output) {
        switch (message.severity()) {
          case LOG, INFO -> output.out(text);
          case WARN, ERROR -> output.err(text);
        }
      }
    }
  }

  /**
   * Stops all scripts, so that {@link #close()} returns even if a script does not end. To be called
   * on a thread that runs no script.
   */
  public void cancelScripts() {
    cancelled = true;
    userAgent.cancelScripts();
  }

  /** Ends all agents; not the driver, which other runs may use. */
  public void closeUserAgent() {
    userAgent.close();
  }

  /**
   * Ends all agents, the driver and the site, but not the environment, which other runs may use.
   */
  public void closeAgents() {
    userAgent.close();
    scheduling.driver().close();
    site.close();
  }

  /** Ends all agents, the driver, the site and the environment. */
  @Override
  public void close() {
    closeAgents();
    scheduling.environment().close();
  }
}
