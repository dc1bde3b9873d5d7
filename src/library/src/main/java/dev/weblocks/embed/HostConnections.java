package dev.weblocks.embed;

import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Origin;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.fetch.FetchRequest;
import dev.weblocks.model.Limit;
import dev.weblocks.model.Limits;
import dev.weblocks.storage.Site;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a user agent to its resource loader, with a limit for each host and a total.
 * Further requests wait, in their order. As in browsers, requests are counted for the site of the
 * top-level page that they come from, so that no site makes those of another one wait. Thread-safe.
 */
final class HostConnections {

  /** An element of a {@link Queue}. */
  private abstract static class Node<T extends Node<T>> {
    private @Nullable T previous;
    private @Nullable T next;
    private boolean queued;
  }

  /** A queue whose elements are linked by themselves, so that no change allocates. */
  private static final class Queue<T extends Node<T>> {
    private @Nullable T first;
    private @Nullable T last;

    /** Adds an element at the end, unless it is in the queue. */
    void add(T element) {
      Node<T> node = element;
      if (node.queued) {
        return;
      }
      node.queued = true;
      node.previous = last;
      if (last == null) {
        first = element;
      } else {
        ((Node<T>) last).next = element;
      }
      last = element;
    }

    /** Removes an element, if it is in the queue. */
    void remove(T element) {
      Node<T> node = element;
      if (!node.queued) {
        return;
      }
      T previous = node.previous;
      T next = node.next;
      if (previous == null) {
        first = next;
      } else {
        ((Node<T>) previous).next = next;
      }
      if (next == null) {
        last = previous;
      } else {
        ((Node<T>) next).previous = previous;
      }
      node.previous = null;
      node.next = null;
      node.queued = false;
    }
  }

  /**
   * The requests of the pages of one site.
   *
   * @see #partitionOf
   */
  private static final class Partition {
    final String name;
    final Map<String, Host> hosts = new HashMap<>();
    int open;

    /** The hosts of waiting requests that only the total stops. */
    final Queue<Host> ready = new Queue<>();

    Partition(String name) {
      this.name = name;
    }
  }

  /** The requests of a partition to one host. */
  private static final class Host extends Node<Host> {
    final String name;
    final Queue<Connection> waiting = new Queue<>();
    int open;

    Host(String name) {
      this.name = name;
    }
  }

  private enum State {
    NEW,
    WAITING,
    OPEN,
    OVER
  }

  /** A request. */
  final class Connection extends Node<Connection> {
    private final String partition;
    private final String host;
    private final Runnable start;
    private State state = State.NEW; // guarded by HostConnections

    private Connection(String partition, String host, Runnable start) {
      this.partition = partition;
      this.host = host;
      this.start = start;
    }

    /** Ends this request, and starts one that waits for its place; idempotent. */
    void end() {
      HostConnections.this.end(this);
    }
  }

  private final UserAgent userAgent;
  private final int perHost;
  private final int perSite;

  // guarded by this
  private final Map<String, Partition> partitions = new HashMap<>();
  private int open;
  private int waiting;

  private HostConnections(UserAgent userAgent) {
    this.userAgent = userAgent;
    Limits limits = userAgent.configuration().limits();
    this.perHost = limits.connectionsPerHost();
    this.perSite = limits.connectionsPerSite();
  }

  static HostConnections of(UserAgent userAgent) {
    return userAgent.supplements().get(HostConnections.class, () -> new HostConnections(userAgent));
  }

  synchronized int open() {
    return open;
  }

  synchronized int waiting() {
    return waiting;
  }

  /**
   * Adds a request that has not begun. Call {@link #begin} for it.
   *
   * @param start sends the request; must not throw. Called in {@link #begin}, or later on a thread
   *     of the driver
   */
  Connection connection(FetchRequest request, Runnable start) {
    return new Connection(partitionOf(request), host(request.url()), start);
  }

  /** Starts a request, at once or when there is a place for it. */
  void begin(Connection connection) {
    Limit reached = null;
    synchronized (this) {
      Partition partition = partitions.computeIfAbsent(connection.partition, Partition::new);
      Host host = partition.hosts.computeIfAbsent(connection.host, Host::new);
      if (!host.name.isEmpty()) {
        reached =
            host.open >= perHost
                ? Limit.CONNECTIONS_PER_HOST
                : partition.open >= perSite ? Limit.CONNECTIONS_PER_SITE : null;
      }
      if (reached == null) {
        open(connection, host, partition);
      } else {
        host.waiting.add(connection);
        connection.state = State.WAITING;
        waiting++;
        if (reached == Limit.CONNECTIONS_PER_SITE) {
          partition.ready.add(host);
        }
      }
    }
    if (reached == null) {
      connection.start.run();
    } else {
      boolean total = reached == Limit.CONNECTIONS_PER_SITE;
      userAgent.reached(
          reached,
          (total ? perSite : perHost)
              + " requests of one top-level site"
              + (total ? "" : " to " + connection.host)
              + " are not answered, which is the limit; a further request waits");
    }
  }

  private void open(Connection connection, Host host, Partition partition) {
    connection.state = State.OPEN;
    host.open++;
    partition.open++;
    open++;
  }

  private void end(Connection connection) {
    Connection next = null;
    synchronized (this) {
      State before = connection.state;
      connection.state = State.OVER;
      Partition partition = partitions.get(connection.partition);
      Host host = partition == null ? null : partition.hosts.get(connection.host);
      if (partition == null || host == null || before == State.NEW || before == State.OVER) {
        return;
      }
      if (before == State.WAITING) {
        host.waiting.remove(connection);
        waiting--;
        if (host.waiting.first == null) {
          partition.ready.remove(host);
        }
      } else {
        host.open--;
        partition.open--;
        open--;
        if (host.waiting.first != null) {
          partition.ready.add(host);
        }
        next = next(partition);
      }
      if (host.open == 0 && host.waiting.first == null) {
        partition.hosts.remove(host.name);
        if (partition.hosts.isEmpty()) {
          partitions.remove(partition.name);
        }
      }
    }
    if (next != null) { // elsewhere: this may be a task of another agent, or code of the loader
      try {
        userAgent.driver().runBlocking("request that waited", next.start);
      } catch (RuntimeException | Error exhausted) {
        next.start.run();
      }
    }
  }

  /** Opens a waiting request of the host that has been ready for longest; null if none may open. */
  private @Nullable Connection next(Partition partition) {
    Host host = partition.open < perSite ? partition.ready.first : null;
    if (host == null) {
      return null;
    }
    partition.ready.remove(host);
    Connection next = host.waiting.first;
    if (next != null) {
      host.waiting.remove(next);
      waiting--;
      open(next, host, partition);
      if (host.waiting.first != null && host.open < perHost) {
        partition.ready.add(host); // behind the others
      }
    }
    return next;
  }

  /**
   * Returns the name of the pages with which a request shares connections: those of one top-level
   * site, and apart from them the frames of other sites in such pages. A navigation counts for the
   * page that initiates it. Otherwise a page could block another site by navigating to it.
   */
  private static String partitionOf(FetchRequest request) {
    EnvironmentSettings requester = request.requester();
    if (requester == null) { // the user navigates
      Origin origin = request.currentUrl().tupleOrigin();
      return origin == null ? "" : Site.obtain(origin).serialize();
    }
    String site = Site.obtain(requester.topLevelOrigin()).serialize();
    return requester.crossSiteAncestor() ? site + "^cross" : site;
  }

  /** Returns scheme, host and port of a serialized URL; empty if it has no host. */
  private static String host(String url) {
    int scheme = url.indexOf("://");
    if (scheme < 0) {
      return "";
    }
    int end = scheme + 3;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    String authority = url.substring(scheme + 3, end);
    return url.substring(0, scheme + 3) + authority.substring(authority.lastIndexOf('@') + 1);
  }
}
