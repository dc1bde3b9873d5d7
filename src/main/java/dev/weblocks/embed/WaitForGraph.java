package dev.weblocks.embed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which lock requests wait for what, and circles of that. Immutable; made of what {@link
 * UserAgent#locks()} tells, and of nothing else.
 *
 * <p>A request waits for each lock on its name that is in its way, shared ones beside an exclusive
 * request among them, and for the requests before it in the queue that must be granted first: names
 * are granted in the order of their queues, so a shared request waits behind an exclusive one even
 * if the lock is shared now. What a client holds is taken to be held until all that it waits for
 * has been granted, as it is where requests are nested. So a circle is a deadlock where clients
 * wait inside of their callbacks; and once nothing can happen any more, nothing in it ever will.
 *
 * <p>Whoever may enter a name again waits for the locks of others alone, see {@link
 * Variant#REENTRANT}. A request of the early draft with several names is one request, though each
 * of its waits has the entry of one name.
 */
public final class WaitForGraph {

  /**
   * A request, and one thing that it waits for.
   *
   * @param request not held
   * @param obstacle a lock on the same name in a mode that excludes the request, or a request
   *     before it in the queue, for such a mode
   */
  public record Wait(LockEntry request, LockEntry obstacle) {

    /** Whether a client is in its own way. */
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
   * The graph of locks and requests at one moment.
   *
   * @param entries as {@link UserAgent#locks()} gives them: of one user agent, and of each name in
   *     the order of the queue
   */
  public static WaitForGraph of(List<LockEntry> entries) {
    List<Wait> waits = new ArrayList<>();
    queues(entries).forEach(queue -> addWaits(queue, waits));
    return new WaitForGraph(List.copyOf(waits), new Search(waits).cycles());
  }

  /**
   * Who waits for what, request by request in the order of the entries; first the locks that are in
   * the way of a request, then the requests. A request that nothing is in the way of is granted by
   * the next step, and not among them.
   */
  public List<Wait> waits() {
    return waits;
  }

  /**
   * Circles of waits, shortest ones, so that each request that is in any circle is in one of these,
   * or in none if that client is in another one already. In a circle the obstacle of each wait is
   * either the request of the next one, or a lock whose holder waits with that request; the last is
   * followed by the first. Empty if there is no circle.
   */
  public List<List<Wait>> cycles() {
    return cycles;
  }

  // ---- who is in the way -----------------------------------------------------------------------

  private record Name(String manager, String name) {}

  private static List<List<LockEntry>> queues(List<LockEntry> entries) {
    Map<Name, List<LockEntry>> queues = new LinkedHashMap<>();
    for (LockEntry entry : entries) {
      queues
          .computeIfAbsent(new Name(entry.manager(), entry.name()), name -> new ArrayList<>())
          .add(entry);
    }
    return List.copyOf(queues.values());
  }

  private static boolean exclude(LockEntry one, LockEntry other) {
    return one.mode() == LockEntry.Mode.EXCLUSIVE || other.mode() == LockEntry.Mode.EXCLUSIVE;
  }

  /**
   * Of the requests before another one it is enough to name the nearest: back to the first
   * exclusive one that waits for all before it.
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
      boolean reenters = mayEnterAgain.contains(entry.clientId()); // goes ahead of all who wait
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
        if (entry.mode() == LockEntry.Mode.EXCLUSIVE) {
          nearest.clear();
        }
      }
      nearest.add(entry);
    }
  }

  // ---- circles ---------------------------------------------------------------------------------

  /**
   * Looks for circles among requests and clients: a request leads to the clients that hold what is
   * in its way and to the requests before it, a client to its requests.
   */
  private static final class Search {

    /** A request by its number, or a client by its id; the other one is null. */
    private record Node(@Nullable Long request, @Nullable String client) {
      static Node request(LockEntry entry) {
        return new Node(entry.request(), null);
      }

      static Node client(LockEntry entry) {
        return new Node(null, entry.clientId());
      }
    }

    private final Map<Node, Set<Node>> successors = new LinkedHashMap<>();

    /** By the numbers of requests, in the order of the waits. */
    private final Map<Long, List<Wait>> ofRequest = new LinkedHashMap<>();

    Search(List<Wait> waits) {
      for (Wait wait : waits) {
        LockEntry request = wait.request();
        connect(Node.client(request), Node.request(request));
        connect(Node.request(request), obstacle(wait));
        ofRequest.computeIfAbsent(request.request(), key -> new ArrayList<>()).add(wait);
      }
    }

    private void connect(Node from, Node to) {
      successors.computeIfAbsent(from, node -> new LinkedHashSet<>()).add(to);
    }

    private static Node obstacle(Wait wait) {
      LockEntry obstacle = wait.obstacle();
      return obstacle.isHeld() ? Node.client(obstacle) : Node.request(obstacle);
    }

    private Set<Node> after(Node node) {
      return successors.getOrDefault(node, Set.of());
    }

    List<List<Wait>> cycles() {
      Set<Node> circling = circling();
      Set<String> told = new HashSet<>();
      List<List<Wait>> cycles = new ArrayList<>();
      for (LockEntry request : requestsIn(circling)) {
        if (!told.contains(request.clientId())) {
          List<Wait> cycle = shortest(request, circling);
          cycle.forEach(wait -> told.add(wait.request().clientId()));
          if (!cycle.isEmpty()) {
            cycles.add(List.copyOf(cycle));
          }
        }
      }
      return List.copyOf(cycles);
    }

    /** In the order of the waits, each by one of its entries. */
    private List<LockEntry> requestsIn(Set<Node> nodes) {
      List<LockEntry> requests = new ArrayList<>();
      for (List<Wait> waits : ofRequest.values()) {
        LockEntry request = waits.getFirst().request();
        if (nodes.contains(Node.request(request))) {
          requests.add(request);
        }
      }
      return requests;
    }

    /** The shortest way from a request back to it; empty if there is none. */
    private List<Wait> shortest(LockEntry start, Set<Node> circling) {
      Node goal = Node.request(start);
      Map<Node, Node> cameFrom = new HashMap<>();
      Deque<Node> next = new ArrayDeque<>(List.of(goal));
      while (!next.isEmpty()) {
        Node at = next.remove();
        for (Node following : after(at)) {
          if (following.equals(goal)) {
            return waitsAlong(at, goal, cameFrom);
          }
          if (circling.contains(following) && cameFrom.putIfAbsent(following, at) == null) {
            next.add(following);
          }
        }
      }
      return List.of();
    }

    /** Of a way from the goal over some nodes to the last one, from which one comes to the goal. */
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
     * What is left when all are taken away that lead nowhere, again and again, and then those that
     * nothing leads to: circles, and ways between two of them.
     */
    private Set<Node> circling() {
      Map<Node, Set<Node>> predecessors = new HashMap<>();
      Set<Node> left = new LinkedHashSet<>(successors.keySet());
      successors.forEach((from, all) -> {
        left.addAll(all);
        all.forEach(to -> predecessors.computeIfAbsent(to, key -> new LinkedHashSet<>()).add(from));
      });
      takeAway(left, successors, predecessors);
      takeAway(left, predecessors, successors);
      return left;
    }

    /** Takes away what leads nowhere. */
    private static void takeAway(
        Set<Node> left, Map<Node, Set<Node>> forth, Map<Node, Set<Node>> back) {
      Map<Node, Integer> ways = new HashMap<>();
      Deque<Node> ends = new ArrayDeque<>();
      for (Node node : left) {
        int count = 0;
        for (Node each : forth.getOrDefault(node, Set.of())) {
          count += left.contains(each) ? 1 : 0;
        }
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
