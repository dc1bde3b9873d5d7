package dev.weblocks.embed;

import dev.weblocks.model.LockEntry;
import dev.weblocks.model.LockMode;
import dev.weblocks.model.Variant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The wait-for graph of lock requests, and its cycles. Immutable; computed only from the result of
 * {@link UserAgent#locks()}.
 *
 * <p>A request waits for each conflicting lock on its name, including each shared lock if the
 * request is exclusive. It also waits for the requests before it in the queue that must be granted
 * first: a shared request waits behind an exclusive one even if the lock is shared now. The graph
 * assumes that a client holds its locks until all its requests are granted, as with nested
 * requests. So a cycle is a deadlock if the clients wait inside their callbacks; and once the user
 * agent is quiescent, no request in a cycle is ever granted.
 *
 * <p>A client with a reentrant lock waits only for the locks of other clients, see {@link
 * Variant#REENTRANT}. A request of the early draft with several names is one request, although each
 * of its waits has the entry of one name.
 *
 * {@snippet file="dev/weblocks/embed/TypeExamplesTest.java" region="waits"}
 */
public final class WaitForGraph {

  /**
   * A request, and one obstacle that it waits for.
   *
   * @param request a waiting request
   * @param obstacle a lock on the same name in a conflicting mode, or a request for such a mode
   *     before it in the queue
   */
  public record Wait(LockEntry request, LockEntry obstacle) {

    public Wait {
      Objects.requireNonNull(request, "request");
      Objects.requireNonNull(obstacle, "obstacle");
    }

    /** Returns whether the client waits for a lock or request of its own. */
    public boolean isForItself() {
      return request.clientId().equals(obstacle.clientId());
    }
  }

  private final List<Wait> waits;
  private final List<List<Wait>> cycles;

  private WaitForGraph(List<Wait> waits, List<List<Wait>> cycles) {
    this.waits = waits;
    this.cycles = cycles;
  }

  /**
   * Returns the graph of locks and requests at one moment.
   *
   * @param entries as returned by {@link UserAgent#locks()} of one user agent; the entries of each
   *     name are in queue order
   */
  public static WaitForGraph of(List<LockEntry> entries) {
    Objects.requireNonNull(entries, "entries");
    List<Wait> waits = new ArrayList<>();
    queues(entries).forEach(queue -> addWaits(queue, waits));
    return new WaitForGraph(List.copyOf(waits), new Search(waits).cycles());
  }

  /**
   * Returns the waits, request by request in the order of the entries; for each request, first the
   * locks it waits for, then the requests. A request without an obstacle is not included, as the
   * next step grants it.
   */
  public List<Wait> waits() {
    return waits;
  }

  /**
   * Returns shortest cycles of waits; empty if there is no cycle. For each request in a cycle, at
   * least one result contains that request or another request of its client. In a cycle, the
   * obstacle of each wait is the request of the next wait, or a lock of that request's client; the
   * last wait is followed by the first.
   */
  public List<List<Wait>> cycles() {
    return cycles;
  }

  private record Name(String manager, String name) {}

  private static Collection<List<LockEntry>> queues(List<LockEntry> entries) {
    return entries.stream()
        .collect(
            Collectors.groupingBy(
                entry -> new Name(entry.manager(), entry.name()),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  private static boolean exclude(LockEntry one, LockEntry other) {
    return one.mode() == LockMode.EXCLUSIVE || other.mode() == LockMode.EXCLUSIVE;
  }

  /**
   * Adds the waits of one queue. A request waits for conflicting requests before it, back to the
   * nearest exclusive one, which itself waits for all before it.
   */
  private static void addWaits(List<LockEntry> queue, List<Wait> waits) {
    Set<String> mayEnterAgain = new HashSet<>();
    List<LockEntry> held = new ArrayList<>();
    List<LockEntry> nearest = new ArrayList<>();
    for (LockEntry entry : queue) {
      if (entry.isHeld()) {
        held.add(entry);
        if (entry.reentrant()) {
          mayEnterAgain.add(entry.clientId());
        }
        continue;
      }
      boolean reenters = mayEnterAgain.contains(entry.clientId()); // overtakes all waiting requests
      for (LockEntry lock : held) {
        boolean own = lock.clientId().equals(entry.clientId());
        if (exclude(entry, lock) && !(reenters && own)) {
          waits.add(new Wait(entry, lock));
        }
      }
      if (!reenters) {
        for (LockEntry before : nearest) {
          if (exclude(entry, before)) {
            waits.add(new Wait(entry, before));
          }
        }
        if (entry.mode() == LockMode.EXCLUSIVE) {
          nearest.clear();
        }
      }
      nearest.add(entry);
    }
  }

  /**
   * A search for cycles in a graph of requests and clients. A request has edges to the requests it
   * waits for and to the holders of the locks it waits for; a client has edges to its requests.
   */
  private static final class Search {

    /** A request, or a client: the other component is null. */
    private record Node(@Nullable Long request, @Nullable String client) {
      static Node request(LockEntry entry) {
        return new Node(entry.requestId(), null);
      }

      static Node client(LockEntry entry) {
        return new Node(null, entry.clientId());
      }
    }

    private final Map<Node, Set<Node>> successors = new LinkedHashMap<>();

    /** The waits by request number, in the order of the waits. */
    private final Map<Long, List<Wait>> ofRequest = new LinkedHashMap<>();

    Search(List<Wait> waits) {
      for (Wait wait : waits) {
        LockEntry request = wait.request();
        connect(Node.client(request), Node.request(request));
        connect(Node.request(request), obstacle(wait));
        ofRequest.computeIfAbsent(request.requestId(), key -> new ArrayList<>()).add(wait);
      }
    }

    private void connect(Node from, Node to) {
      successors.computeIfAbsent(from, node -> new LinkedHashSet<>()).add(to);
    }

    private static Node obstacle(Wait wait) {
      LockEntry obstacle = wait.obstacle();
      return obstacle.isHeld() ? Node.client(obstacle) : Node.request(obstacle);
    }

    List<List<Wait>> cycles() {
      Set<Node> nodesOfCycles = nodesOfCycles();
      Set<String> told = new HashSet<>();
      List<List<Wait>> cycles = new ArrayList<>();
      for (List<Wait> waits : ofRequest.values()) {
        LockEntry request = waits.getFirst().request();
        if (nodesOfCycles.contains(Node.request(request)) && !told.contains(request.clientId())) {
          List<Wait> cycle = shortest(request, nodesOfCycles);
          cycle.forEach(wait -> told.add(wait.request().clientId()));
          if (!cycle.isEmpty()) {
            cycles.add(List.copyOf(cycle));
          }
        }
      }
      return List.copyOf(cycles);
    }

    /** Returns the shortest cycle through a request; empty if there is none. */
    private List<Wait> shortest(LockEntry start, Set<Node> nodesOfCycles) {
      Node goal = Node.request(start);
      Map<Node, Node> cameFrom = new HashMap<>();
      Deque<Node> next = new ArrayDeque<>(List.of(goal));
      while (!next.isEmpty()) {
        Node at = next.remove();
        for (Node following : successors.getOrDefault(at, Set.of())) {
          if (following.equals(goal)) {
            return waitsAlong(at, goal, cameFrom);
          }
          if (nodesOfCycles.contains(following) && cameFrom.putIfAbsent(following, at) == null) {
            next.add(following);
          }
        }
      }
      return List.of();
    }

    /** Returns the waits along the path from the goal to the last node and back to the goal. */
    private List<Wait> waitsAlong(Node last, Node goal, Map<Node, Node> cameFrom) {
      List<Wait> cycle = new ArrayList<>();
      Node to = goal;
      Node from = last;
      while (from != null) {
        Long request = from.request();
        if (request != null) {
          cycle.addFirst(waitFor(request, to));
        }
        to = from;
        from = from.equals(goal) ? null : cameFrom.get(from);
      }
      return cycle;
    }

    private Wait waitFor(Long request, Node obstacle) {
      return ofRequest.getOrDefault(request, List.of()).stream()
          .filter(wait -> obstacle(wait).equals(obstacle))
          .findFirst()
          .orElseThrow();
    }

    /**
     * Returns the nodes that remain after repeatedly removing nodes without successors, then nodes
     * without predecessors: the nodes of cycles, and of paths between cycles.
     */
    private Set<Node> nodesOfCycles() {
      Map<Node, Set<Node>> predecessors = new HashMap<>();
      Set<Node> left = new LinkedHashSet<>(successors.keySet());
      successors.forEach((from, all) -> {
        left.addAll(all);
        all.forEach(to -> predecessors.computeIfAbsent(to, key -> new LinkedHashSet<>()).add(from));
      });
      removeRepeatedly(left, successors, predecessors);
      removeRepeatedly(left, predecessors, successors);
      return left;
    }

    /**
     * Removes nodes from {@code left} until {@code forth} maps each node in it to at least one node
     * in it. {@code back} is the inverse of {@code forth}.
     */
    private static void removeRepeatedly(
        Set<Node> left, Map<Node, Set<Node>> forth, Map<Node, Set<Node>> back) {
      Map<Node, Integer> ways = new HashMap<>();
      Deque<Node> ends = new ArrayDeque<>();
      for (Node node : left) {
        int count =
            (int) forth.getOrDefault(node, Set.of()).stream().filter(left::contains).count();
        ways.put(node, count);
        if (count == 0) {
          ends.add(node);
        }
      }
      while (!ends.isEmpty()) {
        Node end = ends.remove();
        left.remove(end);
        for (Node before : back.getOrDefault(end, Set.of())) {
          if (left.contains(before) && ways.merge(before, -1, Integer::sum) == 0) {
            ends.add(before);
          }
        }
      }
    }
  }
}
