package dev.weblocks.embed;

import dev.weblocks.agent.UserAgent;
import dev.weblocks.model.Limit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a user agent to its resource loader, with a limit for each host. Further requests
 * wait, in their order. Thread-safe.
 */
final class HostConnections {

  /** The requests to one host. */
  private static final class Host {
    int open;

    // the waiting requests, linked by themselves so that no removal allocates
    private @Nullable Connection first;
    private @Nullable Connection last;

    void add(Connection connection) {
      connection.previous = last;
      if (last == null) {
        first = connection;
      } else {
        last.next = connection;
      }
      last = connection;
    }

    void remove(Connection connection) {
      Connection previous = connection.previous;
      Connection next = connection.next;
      if (previous == null) {
        first = next;
      } else {
        previous.next = next;
      }
      if (next == null) {
        last = previous;
      } else {
        next.previous = previous;
      }
      connection.previous = null;
      connection.next = null;
    }
  }

  private enum State {
    NEW,
    WAITING,
    OPEN,
    OVER
  }

  /** A request. */
  final class Connection {
    private final String host;
    private final Runnable start;

    // guarded by HostConnections
    private State state = State.NEW;
    private @Nullable Connection previous;
    private @Nullable Connection next;

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
   * @param start sends the request; must not throw. Called in {@link #begin}, or later on a thread
   *     of the driver
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
        host.add(connection);
        connection.state = State.WAITING;
        waiting++;
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
    connection.state = State.OPEN;
    host.open++;
    open++;
  }

  private void end(Connection connection) {
    Connection next = null;
    synchronized (this) {
      State before = connection.state;
      connection.state = State.OVER;
      Host host = hosts.get(connection.host);
      if (host == null || before == State.NEW || before == State.OVER) {
        return;
      }
      if (before == State.WAITING) {
        host.remove(connection);
        waiting--;
        return;
      }
      host.open--;
      open--;
      next = host.first;
      if (next != null) {
        host.remove(next);
        waiting--;
        open(next, host);
      } else if (host.open == 0) {
        hosts.remove(connection.host);
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
