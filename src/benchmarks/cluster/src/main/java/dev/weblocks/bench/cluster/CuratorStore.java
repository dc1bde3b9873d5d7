package dev.weblocks.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
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
