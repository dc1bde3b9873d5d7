package dev.weblocks.harness.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A network of Linux network namespaces, one for each member and one for a holder, with a bridge
 * that connects them and this process. Packets between two places can be dropped, silently and in
 * each direction on its own. Needs root.
 *
 * <p>To drop packets, the sender gets a neighbour entry with a hardware address that no place has.
 * That works per pair, without rules of a packet filter, and for open connections, too.
 *
 * <p>All namespaces and links are removed when the network is closed or the JVM ends.
 */
final class NamespaceNetwork implements TrialNetwork {

  /** The place of this process. */
  static final String HERE = "here";

  private static final String NO_HARDWARE = "02:00:00:00:00:01";
  private static final int PORT = 7800;

  private record Pair(String from, String to) {}

  private final List<String> members = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private final String prefix = "wl" + ProcessHandle.current().pid();

  /** Within 198.18.0.0/15, which is reserved for tests of networks. */
  private final String subnet = "198.18." + ProcessHandle.current().pid() % 256 + ".";

  private final Thread hook = new Thread(this::remove, "weblocks-namespaces");
  private final Set<Pair> cuts = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Makes the namespaces of members and of a holder.
   *
   * @throws IOException if that fails, for example without root; the message says why
   */
  NamespaceNetwork(int size) throws IOException {
    for (int i = 1; i <= size; i++) {
      members.add("n" + i);
    }
    places.addAll(members);
    places.add(HOLDER);
    places.add(HERE);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      String bridge = linkOf(HERE);
      ip("link", "add", bridge, "type", "bridge");
      ip("addr", "add", addressOf(HERE) + "/24", "dev", bridge);
      ip("link", "set", bridge, "up");
      for (String place : places) {
        if (!place.equals(HERE)) {
          connect(place, bridge);
        }
      }
    } catch (IOException failed) {
      close();
      throw new IOException(
          "--namespaces needs Linux, root and the command ip: " + failed.getMessage(), failed);
    }
  }

  private void connect(String place, String bridge) throws IOException {
    String space = spaceOf(place);
    ip("netns", "add", space);
    ip("link", "add", linkOf(place), "type", "veth", "peer", "name", "eth0", "netns", space);
    ip("link", "set", linkOf(place), "master", bridge, "up");
    ip("-n", space, "addr", "add", addressOf(place) + "/24", "dev", "eth0");
    ip("-n", space, "link", "set", "lo", "up");
    ip("-n", space, "link", "set", "eth0", "up");
  }

  private String spaceOf(String place) {
    return prefix + "-" + place;
  }

  /** Returns the name of the interface of a place in this namespace, of 15 characters at most. */
  private String linkOf(String place) {
    return prefix + "x" + places.indexOf(place);
  }

  private String addressOf(String place) {
    return subnet + (places.indexOf(place) + 1);
  }

  /** Drops the packets from one place to another. */
  synchronized void cut(String from, String to) throws IOException {
    if (cuts.add(new Pair(from, to))) {
      neighbour(from, "replace", addressOf(to), "lladdr", NO_HARDWARE, "nud", "permanent");
    }
  }

  /** Drops all packets between a place and others. */
  void isolate(String place, List<String> others) throws IOException {
    for (String other : others) {
      if (!other.equals(place)) {
        cut(place, other);
        cut(other, place);
      }
    }
  }

  /** Forwards all packets again. */
  synchronized void heal() throws IOException {
    for (Pair each : cuts) {
      neighbour(each.from(), "del", addressOf(each.to()));
    }
    cuts.clear();
  }

  private void neighbour(String place, String... arguments) throws IOException {
    List<String> all = new ArrayList<>();
    if (!place.equals(HERE)) {
      all.addAll(List.of("-n", spaceOf(place)));
    }
    all.add("neigh");
    all.addAll(List.of(arguments));
    all.addAll(List.of("dev", place.equals(HERE) ? linkOf(HERE) : "eth0"));
    ip(all.toArray(String[]::new));
  }

  /** Returns all places. */
  List<String> places() {
    return places;
  }

  @Override
  public List<String> members() {
    return members;
  }

  @Override
  public String peers() {
    return String.join(
        ",", members.stream().map(id -> id + "=" + addressOf(id) + ":" + PORT).toList());
  }

  @Override
  public String peersOfClients() {
    return peers();
  }

  @Override
  public List<String> commandAt(String place, List<String> command) {
    List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", spaceOf(place)));
    all.addAll(command);
    return all;
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    String problem = run(command);
    if (!problem.isEmpty()) {
      throw new IOException(String.join(" ", command) + ": " + problem);
    }
  }

  /** Runs a command; returns its errors, or nothing after a success. */
  private static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return process.waitFor() == 0 ? "" : text.isBlank() ? "it failed" : text.strip();
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private synchronized void remove() {
    if (closed) {
      return;
    }
    closed = true;
    for (String place : places) {
      attempt("ip", "link", "del", linkOf(place));
      if (!place.equals(HERE)) {
        attempt("ip", "netns", "del", spaceOf(place));
      }
    }
  }

  private static void attempt(String... command) {
    try {
      String ignored = run(List.of(command)); // it may not exist, after a failed start
    } catch (IOException none) {
      // there is no such command, so nothing was made
    }
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the hook has nothing left to remove
    }
  }
}
