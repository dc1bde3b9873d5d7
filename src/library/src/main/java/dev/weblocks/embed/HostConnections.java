package dev.weblocks.embed;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Limit;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * The requests of a user agent to its resource loader, with a limit for each host and port. Further
 * requests wait, in their order. Thread-safe.
 */
final class HostConnections {

  /** The requests to one host and port. */
  private static final class Host {
    int open;
    final Queue<Connection> waiting = new ArrayDeque<>();
  }

  /** A request that is waiting, open or over. */
  final class Connection {
    private final String host;
    private final Runnable start;
    private boolean isOpen;
    private boolean isOver;

    private Connection(String host, Runnable start) {
      this.host = host;
      this.start = start;
    }

    /** Ends this request, and starts the one that waits for its place; idempotent. */
    void end() {
      HostConnections.this.end(this);
    }
  }

  private final UserAgent userAgent;
  private final int limit;

  // guarded by this
  private final Map<String, Host> hosts = new HashMap<>();
  private final Queue<Connection> ready = new ArrayDeque<>();
  private boolean starting;
  private int open;
  private int waiting;

  private HostConnections(UserAgent userAgent) {
    this.userAgent = userAgent;
    this.limit = userAgent.configuration().limits().connectionsPerHost();
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
   * @param start sends the request; must not throw, and may run on any thread
   */
  Connection connection(String url, Runnable start) {
    return new Connection(host(url), start);
  }

  /** Starts a request, at once or when its host has a place. */
  void begin(Connection connection) {
    boolean mayStart;
    synchronized (this) {
      Host host = hosts.computeIfAbsent(connection.host, made -> new Host());
      mayStart = connection.host.isEmpty() || host.open < limit;
      if (mayStart) {
        open(connection, host);
      } else {
        waiting++;
        host.waiting.add(connection);
      }
    }
    if (mayStart) {
      connection.start.run();
    } else {
      userAgent.reached(
          Limit.CONNECTIONS_PER_HOST,
          limit
              + " requests to "
              + connection.host
              + " are not answered, which is the limit; a further request waits");
    }
  }

  private void open(Connection connection, Host host) {
    connection.isOpen = true;
    host.open++;
    open++;
  }

  private void end(Connection connection) {
    synchronized (this) {
      Host host = hosts.get(connection.host);
      if (connection.isOver || host == null) {
        return;
      }
      connection.isOver = true;
      if (connection.isOpen) {
        host.open--;
        open--;
        Connection next = host.waiting.poll();
        if (next != null) {
          waiting--;
          open(next, host);
          ready.add(next);
        }
      } else if (host.waiting.remove(connection)) {
        waiting--;
      }
      if (host.open == 0) {
        hosts.remove(connection.host);
      }
      if (starting || ready.isEmpty()) {
        return; // not recursively: a request may end while it is started
      }
      starting = true;
    }
    startReady();
  }

  private void startReady() {
    for (; ; ) {
      Connection next;
      synchronized (this) {
        next = ready.poll();
        if (next == null) {
          starting = false;
          return;
        }
      }
      next.start.run();
    }
  }

  /** Returns the host and port of a serialized URL; empty if it has none. */
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
    return authority.substring(authority.lastIndexOf('@') + 1);
  }
}
