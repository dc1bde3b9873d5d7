package dev.weblocks.harness.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A proxy on the loopback interface that forwards connections to one port of it, and can disturb
 * them. Thread-safe.
 */
final class TcpProxy implements AutoCloseable {

  private static final int CHUNK_BYTES = 1 << 16;
  private static final int CHUNKS = 256;

  /** Bytes that are due at a time; none for the end of the stream. */
  private record Chunk(byte[] bytes, long dueNanos) {}

  private final ServerSocket server;
  private final int target;
  private final Set<Link> links = new HashSet<>(); // guarded by itself
  private volatile long delayNanos;
  private volatile boolean isBlackHole;

  /**
   * Starts a proxy on a free port.
   *
   * @param target the port that it forwards to
   */
  TcpProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  private void start(String what, Runnable work) {
    Thread.ofPlatform().daemon().name("weblocks-proxy-" + what + "-" + port()).start(work);
  }

  /** Returns the port on which it listens. */
  int port() {
    return server.getLocalPort();
  }

  /** Delays the bytes that arrive from now on, in both directions; zero to stop it. */
  void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** Drops the bytes that arrive from now on; connections stay open. */
  void beginBlackHole() {
    isBlackHole = true;
  }

  /** Forwards again. Cuts all connections, as bytes of them are missing. */
  void endBlackHole() {
    cut(); // while bytes vanish, so that none follows a missing one
    isBlackHole = false;
    cut(); // connections that were made meanwhile
  }

  /** Cuts all connections. */
  void cut() {
    Set<Link> all;
    synchronized (links) {
      all = Set.copyOf(links);
    }
    all.forEach(Link::close);
  }

  @Override
  public void close() {
    closeQuietly(server);
    cut();
  }

  private void accept() {
    while (!server.isClosed()) {
      Socket client;
      try {
        client = server.accept();
      } catch (IOException closed) {
        return;
      }
      try {
        Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), target));
        synchronized (links) {
          links.add(link);
        }
        link.forward();
      } catch (IOException unreachable) {
        closeQuietly(client);
      }
    }
    cut();
  }

  private static void closeQuietly(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception gone) {
      // it is closed
    }
  }

  /** A connection of a client and the one to the target. */
  private final class Link {
    private final Socket client;
    private final Socket server;

    private Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    private void forward() {
      forward(client, server);
      forward(server, client);
    }

    private void forward(Socket from, Socket to) {
      BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS);
      start("read", () -> read(from, chunks));
      start("write", () -> write(chunks, to));
    }

    private void read(Socket from, BlockingQueue<Chunk> chunks) {
      byte[] buffer = new byte[CHUNK_BYTES];
      try {
        try (InputStream in = from.getInputStream()) {
          int count = in.read(buffer);
          while (count > 0) {
            if (!isBlackHole) {
              chunks.put(new Chunk(Arrays.copyOf(buffer, count), System.nanoTime() + delayNanos));
            }
            count = in.read(buffer);
          }
        } catch (IOException cut) {
          // the other direction ends, too
        }
        chunks.put(new Chunk(new byte[0], 0));
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
    }

    /** Writes until the end of the stream; drops what comes after a failure. */
    private void write(BlockingQueue<Chunk> chunks, Socket to) {
      boolean fails = false;
      try {
        for (Chunk chunk = chunks.take(); chunk.bytes().length > 0; chunk = chunks.take()) {
          try {
            if (!fails) {
              Thread.sleep(Duration.ofNanos(Math.max(0, chunk.dueNanos() - System.nanoTime())));
              to.getOutputStream().write(chunk.bytes());
            }
          } catch (IOException cut) {
            fails = true;
            close();
          }
        }
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
      close();
    }

    private void close() {
      closeQuietly(client);
      closeQuietly(server);
      synchronized (links) {
        links.remove(this);
      }
    }
  }
}
