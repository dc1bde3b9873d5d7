package dev.weblocks.run;

import dev.weblocks.agent.OutOfMemory;
import dev.weblocks.embed.ConsoleListener;
import dev.weblocks.embed.ConsoleMessage;
import dev.weblocks.embed.Driver;
import dev.weblocks.embed.LockEntry;
import dev.weblocks.embed.UncaughtError;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Agents of one user agent, each of which runs a program, or none. Thread-safe. */
public final class ScriptRun implements AutoCloseable {

  /** Where the agents write, line by line; called on any thread, one at a time. */
  public interface Output {
    /** What matters no more than {@code console.info()}. */
    void out(String text);

    /** Warnings and errors. */
    void err(String text);

    /** An error that nobody caught, with the lines that people read about it. */
    default void uncaught(UncaughtError error, String text) {
      err(text);
    }

    /**
     * The memory of the process has run out: agents fail wherever they are, and no more of them are
     * opened. Called before each error that comes of it.
     */
    default void outOfMemory() {}
  }

  /**
   * How the agents are run.
   *
   * @param driver ends with the run
   * @param random where identifiers come from; null for the system's source
   * @param environment ends with the run, but for {@link #end()}
   * @param configuration sets whatever else the user agent is to have
   */
  public record Scheduling(
      Driver driver,
      @Nullable RandomGenerator random,
      UserAgent.Environment environment,
      Consumer<UserAgent.Builder> configuration) {}

  private record Agent(String label, String page) {}

  private final Site site;
  private final Output output;
  private final ErrorText errors;
  private final List<Agent> agents = new ArrayList<>();

  /** Of windows, by the names of their agents; guarded by this. */
  private final Map<String, String> labels = new HashMap<>();

  private final AtomicBoolean failed = new AtomicBoolean();
  private volatile boolean outOfMemory;
  private volatile boolean cancelled;
  private final Scheduling scheduling;
  private final UserAgent userAgent;

  /**
   * Prepares a run; nothing happens before {@link #start()}.
   *
   * @param programs each is an agent
   */
  public ScriptRun(Site site, List<Program> programs, Scheduling scheduling, Output output) {
    this.site = site;
    this.output = output;
    this.errors = new ErrorText(site);
    this.scheduling = scheduling;
    Map<String, Integer> total = new LinkedHashMap<>();
    programs.forEach(program -> total.merge(program.label(), 1, Integer::sum));
    Map<String, Integer> seen = new LinkedHashMap<>();
    for (Program program : programs) {
      int number = seen.merge(program.label(), 1, Integer::sum);
      boolean only = total.getOrDefault(program.label(), 1) == 1;
      agents.add(
          new Agent(
              program.label() + (only ? "" : "#" + number),
              site.addPage(program, agents.size() + 1)));
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
    scheduling.configuration().accept(builder);
    this.userAgent = builder.build();
  }

  /** Opens all windows, while there is memory for them; returns at once. */
  public void start() {
    for (Agent agent : agents) {
      if (!outOfMemory) {
        open(agent.label(), agent.page());
      }
    }
  }

  /** How many programs there are, each an agent. */
  public int programCount() {
    return agents.size();
  }

  /** Opens one more window, of a page that the site has; returns at once. */
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

  /** Completes when nothing can happen any more. To be called after {@link #start()}. */
  public CompletionStage<Void> quiescent() {
    return userAgent.quiescent();
  }

  /** Whether an error was caught by nobody so far. */
  public boolean hasFailed() {
    return failed.get();
  }

  /** Who holds and who waits for locks now. */
  public List<LockEntry> locks() {
    return userAgent.locks();
  }

  /** How the user knows an agent, by its name and the URL of its document or script. */
  public String label(String agent, String url) {
    String label = labelOfWindow(agent);
    // there may be many workers of one script, but their agents are numbered
    return label != null ? label : site.name(url) + "#" + agent.replaceFirst(".*-", "");
  }

  /** How the user knows an actor: a window by its label, others by their names. */
  public String labelOf(String actor) {
    String label = labelOfWindow(actor);
    return label == null ? actor : label;
  }

  /** Waits while a window is being opened: its script may be faster than who opens it. */
  private synchronized @Nullable String labelOfWindow(String agent) {
    return labels.get(agent);
  }

  /** Replaces URLs of places in scripts by what the user knows them by. */
  public String withNames(String text) {
    return site.withNames(text);
  }

  private void memoryHasRunOut() {
    outOfMemory = true;
    synchronized (output) {
      output.outOfMemory();
    }
  }

  private void uncaught(UncaughtError error) {
    failed.set(true);
    if (error.outOfMemory()) {
      memoryHasRunOut(); // told before there is a text, which takes more of it
    }
    String text = prefix(error.agent(), error.url()) + errors.of(error);
    synchronized (output) {
      output.uncaught(error, text);
    }
  }

  /** Writes a warning among what the agents write. */
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
   * Takes all script off the stack, so that {@link #close()} comes to its end on a thread that was
   * in the midst of it. Any thread that runs no script.
   */
  public void cancelScripts() {
    cancelled = true;
    userAgent.cancelScripts();
  }

  /** Ends all agents and the driver, but not the environment, which is for other runs. */
  public void closeAgents() {
    userAgent.close();
    scheduling.driver().close();
  }

  /** Ends all agents, wherever their script is. */
  @Override
  public void close() {
    closeAgents();
    scheduling.environment().close();
  }
}
