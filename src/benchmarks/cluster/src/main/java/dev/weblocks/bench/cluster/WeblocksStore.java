package dev.weblocks.bench.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.Environment;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A lock cluster. */
final class WeblocksStore implements LockStore {

  private static final String ORIGIN = "https://bench.test";

  private final List<LockCluster> members = new ArrayList<>();
  private final String peers;

  WeblocksStore(Path folder) throws IOException {
    List<String> all = new ArrayList<>();
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      all.add("n" + i + "=127.0.0.1:" + socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    peers = String.join(",", all);
    for (int i = 1; i <= 3; i++) {
      members.add(
          LockCluster.builder().peers(peers).member("n" + i, folder.resolve("n" + i)).start());
    }
  }

  @Override
  public String address() {
    return peers;
  }

  /** Opens sessions over one connection, each of which takes a lock, until the process ends. */
  static void holdEach(String address, int sessions) throws IOException {
    LockCluster cluster = LockCluster.builder().peers(address).lease(LEASE).start();
    Environment environment = Environment.create();
    List<HeldLock> locks = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      UserAgent userAgent =
          UserAgent.newBuilder().environment(environment).lockBackend(cluster).build();
      locks.add(userAgent.openLockClient(ORIGIN).request("n" + i).join());
    }
    long lost = locks.stream().filter(lock -> !lock.isHeld()).count();
    if (lost > 0) {
      throw new IOException(lost + " of " + sessions + " sessions were lost");
    }
  }

  @Override
  public Session connect() throws IOException {
    LockCluster cluster = LockCluster.builder().peers(peers).lease(LEASE).start();
    UserAgent userAgent = UserAgent.newBuilder().lockBackend(cluster).build();
    LockClient client = userAgent.openLockClient(ORIGIN);
    return new Session() {
      @Override
      public Held acquire(String name) throws InterruptedException {
        HeldLock lock = client.acquire(name);
        return new Held() {
          @Override
          public void release() {
            lock.release().join();
          }

          @Override
          public void close() {
            lock.close();
          }
        };
      }

      @Override
      public void close() {
        client.close();
        userAgent.close();
        cluster.close();
      }
    };
  }

  @Override
  public long requests(int names) {
    return members.get(0).status().join().sessions().stream()
        .mapToLong(session -> session.held() + session.waiting())
        .sum();
  }

  @Override
  public void close() {
    members.forEach(LockCluster::close);
  }
}
