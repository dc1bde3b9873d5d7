package dev.weblocks.harness.cluster;

import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.harness.process.Processes;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Members of a lock cluster, each in a process of its own, that can be killed and stopped. */
public final class MemberProcesses implements AutoCloseable {

  private final List<String> command;
  private final TemporaryDirectory folder;
  private final Processes processes;
  private final String peers;
  private final Map<String, Processes.Child> running = new LinkedHashMap<>();

  /**
   * Starts members.
   *
   * @param command runs the command line of Weblocks; arguments are appended
   */
  public MemberProcesses(List<String> command, int size) throws IOException, EngineFailure {
    this.command = List.copyOf(command);
    this.folder = new TemporaryDirectory("weblocks-members");
    this.processes = new Processes(folder.path());
    this.peers = TrialCluster.freePeers(size);
    try {
      for (int i = 1; i <= size; i++) {
        start("n" + i);
      }
    } catch (EngineFailure | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /** Returns the members, as the builder of a cluster takes them. */
  public String peers() {
    return peers;
  }

  /** Returns the ids of the members. */
  public List<String> ids() {
    return List.copyOf(running.keySet());
  }

  /** Starts a member that does not run. */
  public void start(String id) throws EngineFailure {
    List<String> all = new ArrayList<>(command);
    Path data = folder.path().resolve(id);
    all.addAll(List.of("node", "--id", id, "--peers", peers, "--data", data.toString()));
    running.put(id, processes.start(all));
  }

  /** Kills a member, as {@code kill -9} does. */
  public void kill(String id) {
    processes.end(child(id));
  }

  /** Suspends a member until {@link #resume}. */
  public void stop(String id) throws IOException {
    signal(id, "STOP");
  }

  /** Lets a stopped member go on. */
  public void resume(String id) throws IOException {
    signal(id, "CONT");
  }

  private void signal(String id, String signal) throws IOException {
    List<ProcessHandle> all = new ArrayList<>();
    all.add(child(id).process().toHandle());
    child(id).process().descendants().forEach(all::add);
    for (ProcessHandle each : all) {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, Long.toString(each.pid())).inheritIO().start();
      try {
        kill.waitFor();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
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
  public String lastWords(String id) {
    return child(id).lastWords();
  }

  @Override
  public void close() {
    processes.close();
    folder.close();
  }
}
