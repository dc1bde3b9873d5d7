package dev.weblocks.harness.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of a run. Ends all of them when closed. Thread-safe. */
public final class Processes implements AutoCloseable {

  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
  private static final int LAST_WORDS = 5;
  private static final int PATIENCE_SECONDS = 5;

  /** A process with the last lines of its standard error. */
  public static final class Child {
    private final Process process;
    private final Thread listener;
    private final Deque<String> lastWords = new ArrayDeque<>();

    private Child(Process process) {
      this.process = process;
      listener = Thread.ofPlatform().daemon().name("weblocks-engine-errors").start(this::listen);
    }

    /** Returns the process. */
    public Process process() {
      return process;
    }

    private void listen() {
      try (BufferedReader errors = process.errorReader(StandardCharsets.UTF_8)) {
        String line = errors.readLine();
        while (line != null) {
          synchronized (lastWords) {
            if (!line.isBlank()) {
              lastWords.add(line.strip());
            }
            if (lastWords.size() > LAST_WORDS) {
              lastWords.remove();
            }
          }
          line = errors.readLine();
        }
      } catch (IOException ended) {
        // end of the output
      }
    }

    /** Returns the last lines of its standard error in parentheses; empty if there are none. */
    public String lastWords() {
      if (!process.isAlive()) {
        try {
          boolean unused = listener.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      synchronized (lastWords) {
        return lastWords.isEmpty() ? "" : " (" + String.join(" | ", lastWords) + ")";
      }
    }
  }

  private final Path workingDirectory;
  private final Set<Child> alive = new HashSet<>();
  private boolean closed;

  /** Creates an empty set of processes that will start in a directory. */
  public Processes(Path workingDirectory) {
    this.workingDirectory = workingDirectory;
  }

  /**
   * Starts a process.
   *
   * @throws EngineFailure if it cannot be started, or this object is closed
   */
  public Child start(List<String> command) throws EngineFailure {
    return start(command, Map.of());
  }

  /** Starts a process with additional environment variables. */
  public Child start(List<String> command, Map<String, String> environment) throws EngineFailure {
    ProcessBuilder builder = new ProcessBuilder(command).directory(workingDirectory.toFile());
    builder.environment().put("DENO_NO_UPDATE_CHECK", "1");
    builder.environment().put("NO_COLOR", "1");
    builder.environment().putAll(environment);
    Child child;
    synchronized (this) {
      if (closed) {
        throw new EngineFailure("interrupted");
      }
      try {
        child = new Child(builder.start());
      } catch (IOException e) {
        throw new EngineFailure(
            command.getFirst() + " does not start: " + String.valueOf(e.getMessage()));
      }
      alive.add(child);
    }
    return child;
  }

  /** Returns the path of an installed program; null if there is none. */
  public static @Nullable String onPath(String name, Function<String, @Nullable String> variable) {
    String path = variable.apply("PATH");
    for (String directory : (path == null ? "" : path).split(":", -1)) {
      try {
        Path file = Path.of(directory.isEmpty() ? "." : directory).resolve(name);
        if (Files.isRegularFile(file) && Files.isExecutable(file)) {
          return file.toAbsolutePath().toString();
        }
      } catch (InvalidPathException none) {
        // such a directory cannot exist
      }
    }
    return null;
  }

  /** Kills a process and all its descendants, and waits until they have ended. */
  public void end(Child child) {
    kill(child);
    synchronized (this) {
      alive.remove(child);
    }
  }

  private static void kill(Child child) {
    List<ProcessHandle> all = family(child.process);
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      CompletableFuture.allOf(
              all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // the system will end them
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<ProcessHandle> family(Process process) {
    List<ProcessHandle> all = new ArrayList<>();
    all.add(process.toHandle());
    try (Stream<ProcessHandle> descendants = process.descendants()) {
      descendants.forEach(all::add);
    }
    return all;
  }

  /** Returns the resident memory of a process and its descendants, in bytes. */
  public static long residentBytes(Child child) throws EngineFailure {
    long bytes = 0;
    for (ProcessHandle each : family(child.process)) {
      bytes += residentBytes(each.pid());
    }
    return bytes;
  }

  private static long residentBytes(long pid) throws EngineFailure {
    try {
      Path status = Path.of("/proc", Long.toString(pid), "status");
      if (Files.exists(status)) {
        Matcher matcher = RESIDENT.matcher(Files.readString(status));
        return matcher.find() ? Long.parseLong(matcher.group(1)) * 1024 : 0;
      }
      Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(pid)).start();
      String text = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return text.isEmpty() ? 0 : Long.parseLong(text) * 1024;
    } catch (IOException | NumberFormatException e) {
      throw new EngineFailure("its memory use cannot be read: " + e.getMessage());
    }
  }

  /** Kills all processes; afterwards no process can be started. */
  @Override
  public void close() {
    List<Child> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(alive);
      alive.clear();
    }
    left.forEach(Processes::kill);
  }
}
