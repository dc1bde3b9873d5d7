package dev.weblocks.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** The recipe InterProcessMutex of Curator, on an ensemble of ZooKeeper. */
final class CuratorStore implements LockStore {

  private static final int CONNECTIONS = 20_000;

  private final TestingCluster ensemble;
  private final CuratorFramework reader;

  CuratorStore() throws Exception {
    System.setProperty("zookeeper.forceSync", "yes"); // as the other one
    System.setProperty("zookeeper.admin.enableServer", "false");
    System.setProperty("jute.maxbuffer", String.valueOf(64 << 20));
    List<InstanceSpec> specs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      specs.add(new InstanceSpec(null, -1, -1, -1, true, -1, 2_000, CONNECTIONS));
    }
    ensemble = new TestingCluster(specs);
    ensemble.start();
    reader = framework();
  }

  private CuratorFramework framework() throws InterruptedException {
    CuratorFramework framework =
        CuratorFrameworkFactory.newClient(
            ensemble.getConnectString(),
            Math.toIntExact(LEASE.toMillis()),
            15_000,
            new ExponentialBackoffRetry(100, 10));
    framework.start();
    framework.blockUntilConnected();
    return framework;
  }

  @Override
  public String address() {
    return ensemble.getConnectString();
  }

  /**
   * Opens sessions of ZooKeeper alone, each of which makes the node that holds a lock of {@link
   * InterProcessMutex}, until the process ends.
   */
  static void holdEach(String address, int sessions) throws Exception {
    for (int i = 0; i < sessions; i++) {
      ZooKeeper session = new ZooKeeper(address, Math.toIntExact(LEASE.toMillis()), event -> {});
      String node = path("n" + i) + "/_c_" + UUID.randomUUID() + "-lock-";
      session.create(
          node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
    }
  }

  /** Creates what {@link #holdEach} needs. */
  void createNames(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      reader.create().creatingParentContainersIfNeeded().forPath(path("n" + i));
    }
  }

  private static String path(String name) {
    return "/locks/" + name;
  }

  @Override
  public Session connect() throws Exception {
    CuratorFramework framework = framework();
    return new Session() {
      @Override
      public Held acquire(String name) throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(framework, path(name));
        mutex.acquire();
        return mutex::release;
      }

      @Override
      public void close() {
        framework.close();
      }
    };
  }

  @Override
  public long requests(int names) throws Exception {
    long all = 0;
    for (int i = 0; i < names; i++) {
      Stat stat = reader.checkExists().forPath(path("n" + i));
      all += stat == null ? 0 : stat.getNumChildren();
    }
    return all;
  }

  @Override
  public void close() throws Exception {
    reader.close();
    ensemble.close();
  }
}
