package dev.weblocks.explore;

import dev.weblocks.model.Schedule;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * The agents of one run of an exploration, and the Java code that they share. A new scene is set up
 * for each order. Used on the thread that sets it up.
 *
 * <p>Each agent has a context of its own, with all globals of an installation but those that need a
 * network. Agents share locks, storage and broadcast channels. Time is virtual, and {@code Date},
 * formats of the current date and {@code Math.random()} give the same values in each run. Files are
 * readable only.
 *
 * <p>Polling {@code Date.now()} does not advance time: a step that waits in this way does not end.
 * The engine's own {@code Atomics.waitAsync()} uses real time, and its {@code WeakRef} and {@code
 * FinalizationRegistry} depend on garbage collection: do not explore scripts with them.
 */
public final class Scene {

  /** A check, which fails by throwing. */
  @FunctionalInterface
  public interface Check {
    void run() throws Throwable;
  }

  private static final String MODULE = "application/javascript+module";

  final Map<String, Agent> agents = new LinkedHashMap<>();
  final Map<String, ProxyExecutable> functions = new LinkedHashMap<>();
  final List<Check> checks = new ArrayList<>();
  @Nullable Consumer<Context.Builder> contexts;

  Scene() {}

  /**
   * Adds an agent. Its scripts run one after the other, each as a step.
   *
   * @param name its name in messages, and its client id for script
   * @throws IllegalArgumentException if the name is empty, taken or {@link Schedule#isReserved
   *     reserved}
   */
  public Agent agent(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || Schedule.isReserved(name)) {
      throw new IllegalArgumentException(
          "the name '" + name + "' of an agent is empty or reserved; use another, such as tab");
    }
    if (agents.containsKey(name)) {
      throw new IllegalArgumentException(
          "there is an agent '" + name + "' already; use another name");
    }
    Agent agent = new Agent(name);
    agents.put(name, agent);
    return agent;
  }

  /**
   * Adds a global function to each agent. Its calls are the only way in which the exploration sees
   * the state of Java code: steps that call functions are never taken as independent. Script gets
   * the result if it is a number, a string, a boolean or null; other Java objects are opaque to it.
   * An exception becomes one of the script. Must return soon, and not run script of another agent.
   *
   * @param name the name of the global
   */
  public Scene function(String name, ProxyExecutable function) {
    functions.put(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(function, "function"));
    return this;
  }

  /**
   * Sets further options of the contexts, for scripts that need them, such as host access or global
   * objects of Java. Script may then share state in ways that the exploration does not see, so no
   * two steps of agents count as independent: {@link Orders#ALL} runs more orders.
   */
  public Scene contexts(Consumer<Context.Builder> options) {
    contexts = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * Adds a check that runs when all agents are idle. A {@link Throwable} is a finding. Checks run
   * in their order, and not if there is another finding.
   */
  public Scene atEnd(Check check) {
    checks.add(Objects.requireNonNull(check, "check"));
    return this;
  }

  /** An agent of a scene. */
  public static final class Agent {
    final String name;
    final List<Source> sources = new ArrayList<>();

    private Agent(String name) {
      this.name = name;
    }

    private String sourceName(String extension) {
      return name + (sources.isEmpty() ? "" : "-" + (sources.size() + 1)) + extension;
    }

    /** Adds the text of a classic script. */
    public Agent script(String code) {
      sources.add(
          Source.newBuilder("js", Objects.requireNonNull(code, "code"), sourceName(".js"))
              .buildLiteral());
      return this;
    }

    /**
     * Adds the text of a module, which may use {@code await} at its top level. Relative imports are
     * resolved against the working directory.
     */
    public Agent module(String code) {
      sources.add(
          Source.newBuilder("js", Objects.requireNonNull(code, "code"), sourceName(".mjs"))
              .mimeType(MODULE)
              .buildLiteral());
      return this;
    }

    /**
     * Adds a file; it is a module if its name ends in {@code .mjs}.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public Agent file(Path file) {
      add(Source.newBuilder("js", file.toFile()), file.toString());
      return this;
    }

    /**
     * Adds a resource, such as {@code getClass().getResource("pay.mjs")}; it is a module if its
     * path ends in {@code .mjs}. Modules in a jar cannot import others.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public Agent resource(URL resource) {
      String path = Objects.requireNonNull(resource, "resource: none has this name").getPath();
      if (resource.getProtocol().equals("file")) {
        return file(new File(URI.create(resource.toString())).toPath());
      }
      try (InputStream in = resource.openStream()) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        add(Source.newBuilder("js", text, path.substring(path.lastIndexOf('/') + 1)), path);
      } catch (IOException e) {
        throw unreadable(path, e);
      }
      return this;
    }

    private void add(Source.Builder builder, String path) {
      if (path.endsWith(".mjs")) {
        builder.mimeType(MODULE);
      }
      try {
        sources.add(builder.build());
      } catch (IOException e) {
        throw unreadable(path, e);
      }
    }

    private static UncheckedIOException unreadable(String path, IOException cause) {
      return new UncheckedIOException("script " + path + " cannot be read: " + cause, cause);
    }
  }
}
