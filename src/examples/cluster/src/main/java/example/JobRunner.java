package example;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A job runner that runs on several machines, of which one works at a time: the leader, which holds
 * a lock. When the leader is killed, another runner gets the lock after the lease and continues.
 * Each runner is also a member of the lock cluster.
 *
 * <pre>
 * mvn package
 * ./kill-the-leader          # starts three, kills the leader, shows the next one
 * java -jar target/cluster.jar n1 n1=127.0.0.1:7801,n2=127.0.0.1:7802,n3=127.0.0.1:7803 data/n1
 * </pre>
 */
public final class JobRunner {

  public static void main(String[] arguments) throws Exception {
    String id = arguments[0];
    try (LockCluster cluster =
            LockCluster.builder()
                .peers(arguments[1])
                .member(id, Path.of(arguments[2]))
                .lease(Duration.ofSeconds(3)) // how long the jobs rest after the leader was killed
                .start();
        UserAgent userAgent = UserAgent.newBuilder().lockBackend(cluster).build();
        LockClient locks = userAgent.openLockClient("https://jobs.test")) {
      while (true) {
        try (HeldLock leadership = locks.acquire("leader")) {
          System.out.println(id + " leads");
          int job = 0;
          while (leadership.isHeld()) { // false if the cluster was out of reach for too long
            run(id, ++job, leadership.fencingToken());
            Thread.sleep(500);
          }
          System.out.println(id + " leads no longer");
        }
      }
    }
  }

  /** Runs a job. The store of the results would refuse a token smaller than one it has seen. */
  private static void run(String id, int job, long fencingToken) {
    System.out.println(id + " ran job " + job + " with the token " + fencingToken);
  }

  private JobRunner() {}
}
