package dev.weblocks.harness.cluster;

import dev.weblocks.cluster.ClusterListener;
import dev.weblocks.cluster.LockCluster;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.harness.cluster.Trial.Outcome;
import dev.weblocks.harness.process.EngineFailure;
import dev.weblocks.model.LockEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A run in which the members of a lock cluster, the holders of its locks and the network between
 * them fail, while clients of this process take locks from each other. A {@link LockHistory} checks
 * each grant.
 */
public final class ClusterStorm {

  private static final String ORIGIN = "https://storm.test";
  private static final int MEMBERS = 3;

  /**
   * The settings of a run.
   *
   * @param command runs the command line of Weblocks; arguments are appended
   * @param nextCommand the same of the build for {@link Fault#RESTART_EACH} and everything started
   *     later
   * @param faults what happens, in turn
   * @param namespaces whether members and holders run in network namespaces, which needs root
   * @param tls whether connections have TLS, with certificates for members and for clients
   * @param clients the number of user agents, each with a session of its own
   * @param names the number of locks that they share
   */
  public record Settings(
      List<String> command,
      List<String> nextCommand,
      List<Fault> faults,
      boolean namespaces,
      boolean tls,
      int rounds,
      int clients,
      int names,
      Duration lease,
      long seed) {}

  /**
   * A fault and what came of it.
   *
   * @param member the member or process that it hit; "all" for all members
   * @param gap the longest time without a grant until the end of the round; for a fault of a
   *     holder, the time until the next one got its lock
   * @param note more that was measured; may be empty
   */
  public record Round(int number, Fault fault, String member, Duration gap, String note) {}

  /**
   * The results of a run.
   *
   * @param lost the number of locks that were lost
   * @param placed the number of grants whose place in the queue was known, and was checked
   */
  public record Report(
      List<Round> rounds, int grants, long lost, long placed, List<String> complaints) {}

  private final Settings settings;
  private final LockHistory history = new LockHistory();
  private volatile boolean over;

  private ClusterStorm(Settings settings) {
    this.settings = settings;
  }

  /**
   * Runs a storm.
   *
   * @param listener gets each round when it is over
   * @throws IOException if the network cannot be made, or a process cannot be started or signalled
   * @throws EngineFailure if the members do not start
   */
  public static Report run(Settings settings, Consumer<Round> listener)
      throws IOException, EngineFailure, InterruptedException {
    return new ClusterStorm(settings).run(listener);
  }

  private Report run(Consumer<Round> listener)
      throws IOException, EngineFailure, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    try (TrialNetwork network =
            settings.namespaces() ? new NamespaceNetwork(MEMBERS) : new ProxyNetwork(MEMBERS);
        TrialSecurity security = new TrialSecurity(settings.tls(), network);
        MemberProcesses members = new MemberProcesses(settings.command(), network, security);
        LockCluster cluster = cluster(network, security)) {
      Trial trial =
          new Trial(
              settings, network, members, cluster, history, new SplittableRandom(settings.seed()));
      List<Thread> clients = new ArrayList<>();
      for (int i = 1; i <= settings.clients(); i++) {
        String name = "client " + i;
        clients.add(Thread.ofPlatform().daemon().name(name).start(() -> takeTurns(cluster, name)));
      }
      awaitGrants(members);
      for (int number = 1; number <= settings.rounds(); number++) {
        Fault fault = settings.faults().get((number - 1) % settings.faults().size());
        try {
          Round round = disturb(trial, number, fault);
          rounds.add(round);
          listener.accept(round);
        } catch (EngineFailure failed) {
          history.complain(fault + ", round " + number + ", the last one: " + failed.getMessage());
          break;
        }
      }
      over = true;
      for (Thread client : clients) {
        if (!client.join(Trial.LIMIT)) {
          history.complain(client.getName() + " does not end");
        }
      }
      checkNothingIsLeft(cluster);
    }
    return new Report(
        rounds, history.grants(), history.lost(), history.placed(), history.complaints());
  }

  private LockCluster cluster(TrialNetwork network, TrialSecurity security) throws IOException {
    return TrialSecurity.secured(LockCluster.builder(), security.filesOfClient())
        .peers(network.peersOfClients())
        .lease(settings.lease())
        .listener(
            new ClusterListener() {
              @Override
              public void lost(String userAgent, long session, String reason) {
                history.sessionLost();
              }
            })
        .start();
  }

  private void awaitGrants(MemberProcesses members) throws EngineFailure, InterruptedException {
    long deadline = System.nanoTime() + Trial.LIMIT.toNanos();
    while (history.grants() < settings.clients()) {
      if (System.nanoTime() - deadline > 0) {
        throw new EngineFailure("the members grant nothing" + members.lastWords("n1"));
      }
      Thread.sleep(50);
    }
  }

  private Round disturb(Trial trial, int number, Fault fault)
      throws IOException, EngineFailure, InterruptedException {
    long began = System.nanoTime();
    Outcome outcome =
        switch (fault) {
          case KILL_LEADER, KILL_FOLLOWER, KILL_ALL, STOP_LEADER, STOP_FOLLOWER, RESTART_EACH ->
              disturbMembers(trial, fault);
          default ->
              fault.hitsHolder()
                  ? new HolderFaults(trial).run(fault)
                  : new NetworkFaults(trial).run(fault);
        };
    Trial.rest(began + Trial.ROUND_NANOS - System.nanoTime());
    long ignored =
        trial.awaitGrantAfter(System.nanoTime()); // the next fault hits a working cluster
    long gap = outcome.gap() < 0 ? history.longestGap(began, System.nanoTime()) : outcome.gap();
    return new Round(number, fault, outcome.member(), Duration.ofNanos(gap), outcome.note());
  }

  private Outcome disturbMembers(Trial trial, Fault fault)
      throws IOException, EngineFailure, InterruptedException {
    MemberProcesses members = trial.members();
    String leader = trial.leader();
    String hit =
        switch (fault) {
          case KILL_LEADER, STOP_LEADER -> leader;
          case KILL_FOLLOWER, STOP_FOLLOWER -> trial.otherThan(leader);
          default -> "all";
        };
    switch (fault) {
      case KILL_LEADER, KILL_FOLLOWER -> {
        members.kill(hit);
        Trial.rest(Trial.ROUND_NANOS / 3);
        members.start(hit);
        awaitCatchUp(members, hit);
      }
      case STOP_LEADER, STOP_FOLLOWER -> {
        members.stop(hit);
        try {
          Trial.rest(Trial.ROUND_NANOS / 3 + trial.random().nextLong(Trial.ROUND_NANOS / 6));
        } finally {
          members.resume(hit);
        }
      }
      case RESTART_EACH -> {
        members.upgrade(settings.nextCommand());
        for (String each : trial.network().members()) {
          members.terminate(each);
          members.start(each);
          awaitCatchUp(members, each);
        }
      }
      default -> {
        trial.network().members().forEach(members::kill);
        for (String each : trial.network().members()) {
          members.start(each);
        }
        for (String each : trial.network().members()) {
          members.awaitStart(each);
        }
      }
    }
    return new Outcome(hit);
  }

  /** Waits until a member that was started has probably caught up: few may be down at a time. */
  private static void awaitCatchUp(MemberProcesses members, String id)
      throws IOException, EngineFailure, InterruptedException {
    members.awaitStart(id);
    Trial.rest(Trial.ROUND_NANOS / 6);
  }

  /** Takes locks, one after the other, until the run is over. */
  private void takeTurns(LockCluster cluster, String name) {
    SplittableRandom own = new SplittableRandom(settings.seed() * 31 + name.hashCode());
    try (UserAgent userAgent = UserAgent.newBuilder().lockBackend(cluster).build();
        LockClient client = userAgent.openLockClient(ORIGIN)) {
      while (!over) {
        takeTurn(client, name, own);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      history.complain(name + " failed: " + failed);
    }
  }

  private void takeTurn(LockClient client, String name, SplittableRandom own)
      throws InterruptedException {
    String lockName = "lock " + own.nextInt(settings.names());
    LockHistory.Request request = history.requested(name, lockName);
    CompletableFuture<HeldLock> future = client.request(lockName);
    if (own.nextInt(4) == 0) { // an answered query comes behind the request in the log
      var unused = client.query().thenRun(() -> history.logged(request));
    }
    try (HeldLock lock = future.get(Trial.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      history.granted(request, lock.fencingToken(), lock::isHeld, System.nanoTime());
      Thread.sleep(own.nextInt(4));
      history.ends(request);
    } catch (TimeoutException late) {
      future.cancel(false);
      history.complain(name + " waited a minute for '" + lockName + "'");
    } catch (ExecutionException | CancellationException failed) {
      history.complain(name + ": " + failed.getMessage());
    }
  }

  /** Checks that no lock and no request outlives its client. */
  private void checkNothingIsLeft(LockCluster cluster) throws InterruptedException {
    long deadline = System.nanoTime() + settings.lease().plus(Trial.LIMIT).toNanos();
    List<LockEntry> left;
    try {
      do {
        Thread.sleep(50);
        left = cluster.locks().join();
      } while (!left.isEmpty() && System.nanoTime() - deadline < 0);
    } catch (CompletionException unanswered) {
      history.complain("the locks that are left cannot be read: " + unanswered.getMessage());
      return;
    }
    for (LockEntry each : left) {
      history.complain("left after the end of all clients: '%s', %s".formatted(each.name(), each));
    }
  }
}
