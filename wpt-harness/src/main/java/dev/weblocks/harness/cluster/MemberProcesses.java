package dev.weblocks.harness.cluster;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Members of a lock cluster, each in a process of its own, that can be killed and stopped. */
final class MemberProcesses implements AutoCloseable {

  private static final int END_SECONDS = 30;

  private List<String> command;
  private final TrialNetwork network;
  private final TrialSecurity security;
  private final TemporaryDirectory folder;
  private final Processes processes;
  private final Map<String, Processes.Child> running = new LinkedHashMap<>();

  /**
   * Starts the members of a network.
   *
   * @param command runs the command line of Weblocks; arguments are appended
   */
  MemberProcesses(List<String> command, TrialNetwork network, TrialSecurity security)
      throws IOException, EngineFailure {
    this.command = List.copyOf(command);
    this.network = network;
    this.security = security;
    this.folder = new TemporaryDirectory("weblocks-members");
    this.processes = new Processes(folder.path());
    try {
      for (String id : network.members()) {
        start(id);
      }
    } catch (EngineFailure | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /** Returns the certificates of these members and their clients. */
  TrialSecurity security() {
    return security;
  }

  /** Uses another build for what is started later; arguments are appended. */
  void upgrade(List<String> next) {
    command = List.copyOf(next);
  }

  /** Starts a member that does not run. */
  void start(String id) throws EngineFailure {
    String data = folder.path().resolve(id).toString();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("node", "--id", id, "--peers", network.peers(), "--data", data));
    arguments.addAll(security.optionsOfMember());
    running.put(id, start(id, arguments));
  }

  /** Starts a command of Weblocks at a place of the network; it ends with the members. */
  Processes.Child start(String place, List<String> arguments) throws EngineFailure {
    List<String> all = new ArrayList<>(command);
    all.addAll(arguments);
    return processes.start(network.commandAt(place, all));
  }

  /** Kills a process that was started at a place, as {@code kill -9} does. */
  void kill(Processes.Child child) {
    processes.end(child);
  }

  /** Kills a member, as {@code kill -9} does. */
  void kill(String id) {
    kill(child(id));
  }

  /** Ends a member by {@code SIGTERM}, and waits for its end. */
  void terminate(String id) throws IOException, InterruptedException, EngineFailure {
    signal(child(id), "TERM");
    if (!child(id).process().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new EngineFailure("the member " + id + " does not end within 30 s of SIGTERM");
    }
    kill(id); // its descendants, too
  }

  /** Waits until the server of a member that was started runs. */
  void awaitStart(String id) throws IOException, EngineFailure {
    BufferedReader output = child(id).process().inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    while (line != null && !line.contains(" runs; ")) {
      line = output.readLine();
    }
    if (line == null) {
      throw new EngineFailure("the member " + id + " has ended" + lastWords(id));
    }
  }

  /** Suspends a member until {@link #resume}. */
  void stop(String id) throws IOException, InterruptedException {
    signal(child(id), "STOP");
  }

  /** Lets a stopped member continue. */
  void resume(String id) throws IOException, InterruptedException {
    signal(child(id), "CONT");
  }

  /** Sends a signal to a process and its descendants. */
  static void signal(Processes.Child child, String signal)
      throws IOException, InterruptedException {
    List<ProcessHandle> all = new ArrayList<>();
    all.add(child.process().toHandle());
    child.process().descendants().forEach(all::add);
    for (ProcessHandle each : all) {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(each.pid())).inheritIO().start();
      int ignored = kill.waitFor(); // it may have ended
    }
  }

  private Processes.Child child(String id) {
    Processes.Child child = running.get(id);
    if (child == null) {
      throw new IllegalArgumentException("there is no member '" + id + "'");
    }
    return child;
  }

  /** Returns the last lines of the errors of a member; empty if there are none. */
  String lastWords(String id) {
    return child(id).lastWords();
  }

  @Override
  public void close() {
    processes.close();
    folder.close();
  }
}
