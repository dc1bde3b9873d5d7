package dev.weblocks.bench.cluster;

import java.time.Duration;

/** Three servers in this process that keep locks, on disk and with a vote of two. */
interface LockStore extends AutoCloseable {

  /** How long the locks of a silent session stay held. */
  Duration LEASE = Duration.ofSeconds(10);

  /** A session of a client process. Used by any number of threads. */
  interface Session extends AutoCloseable {
    /** Waits for an exclusive lock. */
    Held acquire(String name) throws Exception;

    @Override
    void close() throws Exception;
  }

  /** A lock that is held. Released by the thread that has acquired it. */
  interface Held {
    /** Releases the lock, and waits until others can have it. */
    void release() throws Exception;

    /**
     * Releases the lock like a try-with-resources block of this store: others can have it before
     * the thread gets its next one.
     */
    default void close() throws Exception {
      release();
    }
  }

  /** Opens a session with a connection of its own. */
  Session connect() throws Exception;

  /** Returns where processes of their own find the servers. */
  String address();

  /** Returns the number of requests that wait or hold, of all sessions. */
  long requests(int names) throws Exception;

  @Override
  void close() throws Exception;
}
