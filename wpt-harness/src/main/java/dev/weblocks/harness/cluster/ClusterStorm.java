package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A run in which members of a lock cluster, each in a process of its own, are killed and stopped,
 * while clients of this process take locks from each other. A {@link LockHistory} checks what they
 * get.
 */
public final class ClusterStorm {

  private static final String ORIGIN = "https://storm.test";
  private static final Duration ACQUIRE = Duration.ofSeconds(60);

  /** How long a round observes the clients after a fault. */
  private static final long ROUND_NANOS = Duration.ofSeconds(6).toNanos();

  /** An event that members have to survive. */
  public enum Fault {
    KILL_LEADER,
    KILL_FOLLOWER,
    KILL_ALL,
    STOP_LEADER,
    STOP_FOLLOWER
  }

  /**
   * The settings of a run.
   *
   * @param command runs the command line of Weblocks; arguments are appended
   * @param faults what happens, in turn
   * @param clients the number of user agents, each with a session of its own
   * @param names the number of locks that they share
   */
  public record Settings(
      List<String> command,
      List<Fault> faults,
      int rounds,
      int clients,
      int names,
      Duration lease,
      long seed) {}

  /**
   * A fault and what came of it.
   *
   * @param member the member that it hit; "all" for all of them
   * @param gap the longest time without a grant until the end of the round
   */
  public record Round(int number, Fault fault, String member, Duration gap) {}

  /** The results of a run. */
  public record Report(List<Round> rounds, int grants, long lost, List<String> complaints) {}

  private final Settings settings;
  private final LockHistory history = new LockHistory();
  private final SplittableRandom random;
  private volatile boolean over;

  private ClusterStorm(Settings settings) {
    this.settings = settings;
    this.random = new SplittableRandom(settings.seed());
  }

  /**
   * Runs a storm.
   *
   * @param listener gets each round when it is over
   * @throws IOException if a process cannot be started or signalled
   * @throws EngineFailure if a member does not start
   */
  public static Report run(Settings settings, Consumer<Round> listener)
      throws IOException, EngineFailure, InterruptedException {
    return new ClusterStorm(settings).run(listener);
  }

  private Report run(Consumer<Round> listener)
      throws IOException, EngineFailure, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    try (MemberProcesses members = new MemberProcesses(settings.command(), 3);
        LockCluster cluster =
            LockCluster.builder().peers(members.peers()).lease(settings.lease()).start()) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 1; i <= settings.clients(); i++) {
        String name = "client " + i;
        clients.add(Thread.ofPlatform().daemon().name(name).start(() -> takeTurns(cluster, name)));
      }
      awaitGrants(members);
      for (int number = 1; number <= settings.rounds(); number++) {
        Fault fault = settings.faults().get((number - 1) % settings.faults().size());
        Round round = disturb(members, cluster, number, fault);
        rounds.add(round);
        listener.accept(round);
      }
      over = true;
      for (Thread client : clients) {
        client.join(ACQUIRE);
      }
    }
    return new Report(rounds, history.grants(), history.lost(), history.complaints());
  }

  private void awaitGrants(MemberProcesses members) throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + ACQUIRE.toNanos();
    while (history.grants() < settings.clients()) {
      if (System.nanoTime() - deadline > 0) {
        throw new EngineFailure("the members grant nothing" + members.lastWords("n1"));
      }
      Thread.sleep(50);
    }
  }

  private Round disturb(MemberProcesses members, LockCluster cluster, int number, Fault fault)
      throws IOException, EngineFailure, InterruptedException {
    String leader = cluster.status().join().leader();
    List<String> others = new ArrayList<>(members.ids());
    others.remove(leader);
    String follower = others.get(random.nextInt(others.size()));
    long began = System.nanoTime();
    String hit =
        switch (fault) {
          case KILL_LEADER, STOP_LEADER -> leader;
          case KILL_FOLLOWER, STOP_FOLLOWER -> follower;
          case KILL_ALL -> "all";
        };
    switch (fault) {
      case KILL_LEADER, KILL_FOLLOWER -> {
        members.kill(hit);
        rest(ROUND_NANOS / 3);
        members.start(hit);
      }
      case KILL_ALL -> {
        members.ids().forEach(members::kill);
        for (String each : members.ids()) {
          members.start(each);
        }
      }
      case STOP_LEADER, STOP_FOLLOWER -> {
        members.stop(hit);
        rest(ROUND_NANOS / 3 + random.nextLong(ROUND_NANOS / 6));
        members.resume(hit);
      }
    }
    long left = began + ROUND_NANOS - System.nanoTime();
    rest(Math.max(0, left));
    long gap = history.longestGap(began, System.nanoTime());
    return new Round(number, fault, hit, Duration.ofNanos(gap));
  }

  private static void rest(long nanos) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(nanos));
  }

  /** Takes locks, one after the other, until the run is over. */
  private void takeTurns(LockCluster cluster, String name) {
    SplittableRandom own = new SplittableRandom(settings.seed() * 31 + name.hashCode());
    try (UserAgent userAgent = UserAgent.newBuilder().lockBackend(cluster).build();
        LockClient client = userAgent.openLockClient(ORIGIN)) {
      while (!over) {
        takeTurn(client, name, "lock " + own.nextInt(settings.names()), own.nextInt(4));
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      history.complain(name + " failed: " + failed);
    }
  }

  private void takeTurn(LockClient client, String name, String lockName, int millis)
      throws InterruptedException {
    try (HeldLock lock = client.acquire(lockName, ACQUIRE)) {
      history.granted(name, lock);
      Thread.sleep(millis);
      history.ends(lock);
    } catch (TimeoutException late) {
      history.complain(name + " waited a minute for '" + lockName + "'");
    } catch (CancellationException closed) {
      history.complain(name + ": " + closed.getMessage());
    }
  }
}
