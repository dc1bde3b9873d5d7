package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Members of a lock cluster in this process, on free ports of the loopback interface. Their data is
 * deleted when they are closed.
 */
public final class TrialCluster implements AutoCloseable {

  private final TemporaryDirectory folder;
  private final String peers;
  private final List<LockCluster> members = new ArrayList<>();

  private TrialCluster(TemporaryDirectory folder, String peers) {
    this.folder = folder;
    this.peers = peers;
  }

  /**
   * Starts members.
   *
   * @param size the number of members; at least 1
   * @throws IOException if one cannot start
   */
  public static TrialCluster start(int size) throws IOException {
    TrialCluster trial =
        new TrialCluster(new TemporaryDirectory("weblocks-cluster"), freePeers(size));
    try {
      for (int i = 1; i <= size; i++) {
        String id = "n" + i;
        Path data = trial.folder.path().resolve(id);
        trial.members.add(LockCluster.builder().peers(trial.peers).member(id, data).start());
      }
    } catch (IOException | RuntimeException | Error failed) {
      trial.close();
      throw failed;
    }
    return trial;
  }

  static String freePeers(int size) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      List<String> all = new ArrayList<>();
      for (int i = 1; i <= size; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket); // all open at once, so that the ports differ
        all.add("n" + i + "=127.0.0.1:" + socket.getLocalPort());
      }
      return String.join(",", all);
    } finally {
      for (ServerSocket each : sockets) {
        each.close();
      }
    }
  }

  /** Returns the members, as {@link LockCluster.Builder#peers} takes them. */
  public String peers() {
    return peers;
  }

  /** Returns the first member, which is a client, too. */
  public LockCluster client() {
    return members.getFirst();
  }

  @Override
  public void close() {
    members.reversed().forEach(LockCluster::close);
    folder.close();
  }
}
