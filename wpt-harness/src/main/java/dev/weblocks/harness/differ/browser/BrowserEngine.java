package dev.weblocks.harness.differ.browser;

import dev.weblocks.harness.browser.InstalledBrowser;
import dev.weblocks.harness.browser.RemoteBrowser;
import dev.weblocks.harness.differ.Engine;
import dev.weblocks.harness.differ.EngineSettings;
import dev.weblocks.harness.differ.Engines;
import dev.weblocks.harness.differ.Observation;
import dev.weblocks.harness.differ.ProgramFiles;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A browser as an engine. It keeps windows open, and loads a program into a window that is free. A
 * window whose program does not report in time is replaced. If the browser ends, it is started once
 * more, and the programs that were running are repeated.
 */
public final class BrowserEngine implements Engine {

  /** Starts a browser. */
  @FunctionalInterface
  interface Starter {
    RemoteBrowser start(RemoteBrowser.Listener listener) throws EngineFailure, InterruptedException;
  }

  private sealed interface Event {
    record Reported(String host, Observation observation) implements Event {}

    record Opened(Generation generation, String window, String opener) implements Event {}

    record Ended(Generation generation) implements Event {}
  }

  /** The identity of a browser process. */
  private final class Generation implements RemoteBrowser.Listener {
    @Override
    public void opened(String window, String opener) {
      events.add(new Event.Opened(this, window, opener));
    }

    @Override
    public void ended() {
      events.add(new Event.Ended(this));
    }
  }

  /** A window that programs run in, one after the other. */
  private static final class Slot {
    final String window;

    /** The windows that the program has opened, and those that these have opened. */
    final List<String> opened = new ArrayList<>();

    @Nullable Task task;

    Slot(String window) {
      this.window = window;
    }
  }

  /** A program that runs. */
  private record Task(int index, String host, long deadline) {}

  private final String name;
  private final Starter starter;
  private final EngineSettings settings;
  private final ProgramServer server;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<Slot> slots = new ArrayList<>();
  private Generation generation = new Generation();
  private RemoteBrowser browser;
  private boolean restarted;

  /** Starts a browser. */
  BrowserEngine(String name, Starter starter, EngineSettings settings)
      throws EngineFailure, InterruptedException {
    this.name = name;
    this.starter = starter;
    this.settings = settings;
    try {
      server = new ProgramServer((host, report) -> events.add(new Event.Reported(host, report)));
    } catch (IOException e) {
      throw new EngineFailure("the server of programs does not start: " + e.getMessage());
    }
    try {
      browser = starter.start(generation);
    } catch (EngineFailure | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  /**
   * Returns the makers of the supported browsers, by name.
   *
   * @param property lookup of system properties
   * @param variable lookup of environment variables: {@code PATH}; {@code WEBLOCKS_CHROMIUM} and
   *     {@code WEBLOCKS_FIREFOX} are paths of browsers
   */
  public static SortedMap<String, Engines.Maker> makers(
      Function<String, @Nullable String> property, Function<String, @Nullable String> variable) {
    SortedMap<String, Engines.Maker> makers = new TreeMap<>();
    for (String name : InstalledBrowser.NAMES) {
      makers.put(
          name,
          settings -> {
            try {
              return start(name, property, variable, settings, false);
            } catch (EngineFailure e) {
              throw new IOException(name + ": " + e.reason());
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new InterruptedIOException(name + ": interrupted");
            }
          });
    }
    return makers;
  }

  /**
   * Starts an installed browser.
   *
   * @param keepsPages whether the back-forward cache is on; without it, a document ends when the
   *     next program is loaded
   * @throws EngineFailure if the browser is not installed, or does not start
   */
  static BrowserEngine start(
      String name,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable,
      EngineSettings settings,
      boolean keepsPages)
      throws EngineFailure, InterruptedException {
    InstalledBrowser installed = InstalledBrowser.find(name, property, variable);
    Processes processes = new Processes(Path.of(System.getProperty("java.io.tmpdir")));
    return new BrowserEngine(
        name,
        listener -> installed.start(processes, settings.jobs(), keepsPages, listener),
        settings);
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns the version of the browser. */
  String version() {
    return browser.version();
  }

  /**
   * {@inheritDoc}
   *
   * <p>If the thread is interrupted, it returns early, and programs without a report are
   * incomplete.
   *
   * @throws BrowserFailure if the browser has ended twice, or does not start again
   */
  @Override
  public List<Observation> run(List<ProgramFiles> programs) {
    Run run = new Run(programs);
    try {
      return run.run();
    } catch (EngineFailure e) {
      throw new BrowserFailure(name + ": " + e.reason());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return run.observations();
    } finally {
      run.end();
    }
  }

  private final class Run {
    private final List<ProgramFiles> programs;
    private final @Nullable Observation[] observations;
    private final Deque<Integer> waiting = new ArrayDeque<>();
    private int missing;

    Run(List<ProgramFiles> programs) {
      this.programs = List.copyOf(programs);
      observations = new Observation[programs.size()];
      missing = programs.size();
      for (int i = 0; i < missing; i++) {
        waiting.add(i);
      }
    }

    List<Observation> run() throws EngineFailure, InterruptedException {
      while (missing > 0) {
        try {
          fill();
          await();
        } catch (EngineFailure e) {
          restart(e);
        }
      }
      return observations();
    }

    List<Observation> observations() {
      return Arrays.stream(observations)
          .map(each -> each == null ? Observation.NOTHING : each)
          .toList();
    }

    /** Loads programs into free windows. */
    private void fill() throws EngineFailure, InterruptedException {
      for (int i = 0; i < settings.jobs() && !waiting.isEmpty(); i++) {
        if (i == slots.size()) {
          slots.add(new Slot(browser.openWindow()));
        }
        Slot slot = slots.get(i);
        if (slot.task == null) {
          int index = waiting.remove();
          String host = server.add(programs.get(index));
          slot.task = new Task(index, host, System.nanoTime() + settings.limit().toNanos());
          browser.load(slot.window, "http://" + host + settings.address());
        }
      }
    }

    /** Waits for an event or the end of a program's time. */
    private void await() throws EngineFailure, InterruptedException {
      long now = System.nanoTime();
      long wait = settings.limit().toNanos();
      for (Slot slot : slots) {
        if (slot.task != null) {
          wait = Math.min(wait, slot.task.deadline() - now);
        }
      }
      Event event = events.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
      switch (event) {
        case null -> replaceLate();
        case Event.Reported reported -> take(reported);
        case Event.Opened opened when opened.generation() == generation -> remember(opened);
        case Event.Ended ended when ended.generation() == generation ->
            throw new EngineFailure("the browser has ended");
        default -> {} // of an earlier process
      }
    }

    private void take(Event.Reported reported) {
      for (Slot slot : slots) {
        if (slot.task != null && slot.task.host().equals(reported.host())) {
          finish(slot, slot.task, reported.observation());
          return;
        }
      }
    }

    private void finish(Slot slot, Task task, Observation observation) {
      server.remove(task.host());
      observations[task.index()] = observation;
      missing--;
      slot.task = null;
      closeOpened(slot);
    }

    private void remember(Event.Opened opened) {
      for (Slot slot : slots) {
        if (slot.window.equals(opened.opener()) || slot.opened.contains(opened.opener())) {
          slot.opened.add(opened.window());
          if (slot.task == null) {
            closeOpened(slot);
          }
        }
      }
    }

    private void replaceLate() throws EngineFailure, InterruptedException {
      long now = System.nanoTime();
      for (int i = 0; i < slots.size(); i++) {
        Slot slot = slots.get(i);
        if (slot.task != null && slot.task.deadline() - now <= 0) {
          finish(slot, slot.task, Observation.NOTHING);
          browser.closeWindow(slot.window);
          slots.set(i, new Slot(browser.openWindow()));
        }
      }
    }

    /** Starts the browser once more. The programs that were running are repeated. */
    private void restart(EngineFailure cause) throws EngineFailure, InterruptedException {
      EngineFailure failure = new EngineFailure(cause.reason() + browser.lastWords());
      browser.close();
      end();
      slots.clear();
      if (restarted) {
        throw failure;
      }
      restarted = true;
      generation = new Generation();
      browser = starter.start(generation);
    }

    /** Stops serving the programs that are running, and queues them. */
    void end() {
      for (Slot slot : slots) {
        if (slot.task != null) {
          server.remove(slot.task.host());
          waiting.addFirst(slot.task.index());
          slot.task = null;
        }
        closeOpened(slot);
      }
    }
  }

  private void closeOpened(Slot slot) {
    slot.opened.forEach(browser::closeWindow);
    slot.opened.clear();
  }

  /** Ends the browser with all its processes, and deletes its profile. */
  @Override
  public void close() {
    browser.close();
    server.close();
  }
}
