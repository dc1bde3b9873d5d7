package dev.weblocks.harness.cluster;

import dev.weblocks.embed.EvaluationOptions;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.ResourceLoader;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.embed.Window;
import dev.weblocks.harness.cluster.Trial.Outcome;
import dev.weblocks.harness.process.EngineFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The faults of a holder of a lock, while another client waits for it. The holder is a process of
 * its own, in which script and Java code use the lock in turns, or a worker.
 */
final class HolderFaults {

  private static final String NAME = "held";

  /** Takes the lock, and uses it in one turn after the other, until it is lost or released. */
  private static final String SCRIPT =
      """
      let held = false;
      let release;
      function turn() {
        if (held) {
          console.log('turn');
          setTimeout(turn, 10);
        }
      }
      navigator.locks.request('held', {mode: 'shared'}, () => {
        held = true;
        console.log('holds');
        turn();
        return new Promise(resolve => release = resolve);
      }).then(() => console.log('released'), () => {
        held = false;
        console.log('lost');
      });
      0
      """;

  private static final String WORKER =
      """
      navigator.locks.request('held', () => {
        postMessage(0);
        return new Promise(() => {});
      });
      """;

  private final Trial trial;

  HolderFaults(Trial trial) {
    this.trial = trial;
  }

  /** Lets a holder fail, and waits until its lock has passed on. */
  Outcome run(Fault fault) throws IOException, EngineFailure, InterruptedException {
    if (fault == Fault.TERMINATE) {
      return terminate();
    }
    try (Holder holder = new Holder();
        Waiter waiter = new Waiter()) {
      return switch (fault) {
        case KILL_HOLDER -> kill(holder, waiter);
        case STOP_HOLDER -> stop(holder, waiter);
        case STOP_HOLDER_BRIEFLY -> stopBriefly(holder, waiter);
        case PARTITION_HOLDER -> isolate(holder, waiter);
        default -> throw new IllegalArgumentException(fault + " does not hit a holder");
      };
    }
  }

  private Outcome kill(Holder holder, Waiter waiter) throws EngineFailure, InterruptedException {
    long killed = System.nanoTime();
    trial.members().kill(holder.agent.child());
    holder.agent.awaitEnd();
    long granted = waiter.awaitGrant();
    return passedOn(holder, waiter, granted - killed, "");
  }

  private Outcome stop(Holder holder, Waiter waiter)
      throws IOException, EngineFailure, InterruptedException {
    long stopped = System.nanoTime();
    MemberProcesses.signal(holder.agent.child(), "STOP");
    long granted = waiter.awaitGrant();
    Outcome outcome;
    try {
      outcome = passedOn(holder, waiter, granted - stopped, "");
      Trial.rest(trial.random().nextLong(trial.leaseNanos() / 4));
    } finally {
      MemberProcesses.signal(holder.agent.child(), "CONT");
    }
    holder.awaitLoss();
    holder.checkTurns(granted);
    return new Outcome(
        outcome.member(),
        outcome.gap(),
        outcome.note() + "; stale writes refused: " + holder.resource.refused());
  }

  private Outcome stopBriefly(Holder holder, Waiter waiter)
      throws IOException, EngineFailure, InterruptedException {
    long stopped = System.nanoTime();
    MemberProcesses.signal(holder.agent.child(), "STOP");
    Trial.rest(trial.leaseNanos() / 4);
    long resumed = System.nanoTime();
    MemberProcesses.signal(holder.agent.child(), "CONT");
    boolean keeps = holder.awaitTurnAfter(resumed);
    long released = System.nanoTime();
    if (keeps) {
      holder.release();
    }
    long granted = waiter.awaitGrant();
    if (!keeps) {
      return passedOn(holder, waiter, granted - stopped, "the lock was lost");
    }
    trial.history().outlives(waiter.request, released);
    return new Outcome(
        "holder",
        granted - stopped,
        "released after %s, granted %s later"
            .formatted(Trial.seconds(released - stopped), Trial.seconds(granted - released)));
  }

  private Outcome isolate(Holder holder, Waiter waiter)
      throws IOException, EngineFailure, InterruptedException {
    NamespaceNetwork network = (NamespaceNetwork) trial.network();
    long cut = System.nanoTime();
    Outcome outcome;
    try {
      network.isolate(TrialNetwork.HOLDER, network.places());
      long granted = waiter.awaitGrant();
      outcome = passedOn(holder, waiter, granted - cut, "");
      holder.awaitLoss();
      holder.checkTurns(granted);
    } finally {
      network.heal();
    }
    waiter.release();
    long healed = System.nanoTime();
    holder.agent.evaluate("navigator.locks.request('held', () => console.log('again'))");
    var unused = holder.agent.await(line -> line.endsWith(" again"), Trial.LIMIT);
    return new Outcome(
        outcome.member(),
        outcome.gap(),
        outcome.note()
            + "; it holds again "
            + Trial.seconds(System.nanoTime() - healed)
            + " later");
  }

  /** Checks that the next holder came after the lease of the one before. */
  private Outcome passedOn(Holder holder, Waiter waiter, long gap, String note) {
    long granted = trial.history().grantedAt(waiter.request);
    trial.history().outlives(waiter.request, holder.deadline());
    if (!holder.resource.write(waiter.token)) {
      trial.history().complain("the resource refused the write of the new holder");
    }
    return new Outcome(
        "holder",
        gap,
        "granted "
            + Trial.seconds(granted - holder.deadline())
            + " after the lease"
            + (note.isEmpty() ? "" : "; " + note));
  }

  /** Terminates a worker that holds the lock while two clients wait for it. */
  private Outcome terminate() throws EngineFailure, InterruptedException {
    try (UserAgent userAgent =
            UserAgent.newBuilder()
                .lockBackend(trial.cluster())
                .resourceLoader(
                    ResourceLoader.inMemory()
                        .put(ClusterAgent.ORIGIN + "/", "<!doctype html>")
                        .put(ClusterAgent.ORIGIN + "/worker.js", WORKER)
                        .build())
                .build();
        Window window = userAgent.open(ClusterAgent.ORIGIN + "/")) {
      await(window.loaded(), "a page did not load");
      EvaluationOptions awaiting = EvaluationOptions.newBuilder().await(true).build();
      var unused =
          await(
              window.evaluate(
                  "const worker = new Worker('worker.js');"
                      + "new Promise(resolve => worker.onmessage = () => resolve(0))",
                  awaiting),
              "a worker got no lock");
      try (Waiter first = new Waiter();
          Waiter second = new Waiter()) {
        long terminated = System.nanoTime();
        var unusedValue = await(window.evaluate("worker.terminate()"), "a window does not answer");
        long gap = first.awaitGrant() - terminated;
        if (gap > trial.leaseNanos()) {
          trial
              .history()
              .complain("the lock of a terminated worker passed on after " + gap + " ns");
        }
        first.release();
        long ignored = second.awaitGrant();
        return new Outcome("worker", gap, "");
      }
    }
  }

  private static <T> T await(CompletableFuture<T> future, String problem)
      throws EngineFailure, InterruptedException {
    try {
      return future.get(Trial.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw new EngineFailure(problem + ": " + failed);
    }
  }

  /** A client of this process that waits for the lock. */
  private final class Waiter implements AutoCloseable {
    private final UserAgent userAgent = UserAgent.newBuilder().lockBackend(trial.cluster()).build();
    private final LockClient client = userAgent.openLockClient(ClusterAgent.ORIGIN);
    private final LockHistory.Request request = trial.history().requested("a waiter", NAME);
    private final CompletableFuture<HeldLock> lock = client.request(NAME);
    private long token;

    /** Makes a request, and waits until it is in the log. */
    Waiter() throws EngineFailure, InterruptedException {
      try {
        var unused = await(client.query(), "a query was not answered");
      } catch (EngineFailure failed) {
        userAgent.close();
        throw failed;
      }
      trial.history().logged(request);
    }

    /** Waits for the lock; returns the time of the grant. */
    long awaitGrant() throws EngineFailure, InterruptedException {
      HeldLock held = await(lock, "the lock did not pass on");
      token = held.fencingToken();
      trial.history().granted(request, token, held::isHeld, System.nanoTime());
      return trial.history().grantedAt(request);
    }

    void release() throws EngineFailure, InterruptedException {
      trial.history().ends(request);
      await(await(lock, "the lock is not held").release(), "the release was not answered");
    }

    @Override
    public void close() {
      if (lock.isDone()) {
        trial.history().ends(request);
      }
      userAgent.close();
    }
  }

  /** A process in which script and Java code hold the lock in shared mode. */
  private final class Holder implements AutoCloseable {
    private final FencedResource resource = new FencedResource();
    private final CountDownLatch losses = new CountDownLatch(2);
    private final AgentProcess agent;

    // guarded by this
    private final List<Long> turns = new ArrayList<>();
    private final List<Long> turnsOfScript = new ArrayList<>();
    private long deadline;

    Holder() throws EngineFailure, InterruptedException {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("cluster-agent", trial.network().peersOfClients()));
      arguments.add(Long.toString(trial.settings().lease().toMillis()));
      arguments.addAll(trial.members().security().filesOfClient());
      agent = new AgentProcess(trial.members().start(TrialNetwork.HOLDER, arguments), this::line);
      try {
        agent.send("open");
        agent.evaluate(SCRIPT);
        var script = agent.await(line -> line.endsWith(" holds"), Trial.LIMIT);
        agent.send("hold " + NAME);
        var turn = agent.await(line -> line.startsWith("turn "), Trial.LIMIT);
      } catch (EngineFailure failed) {
        close();
        throw failed;
      }
    }

    private synchronized void line(String line) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "turn" -> {
          turns.add(Long.parseLong(words[1]));
          deadline = Long.parseLong(words[2]);
        }
        case "write" -> {
          boolean unused = resource.write(Long.parseLong(words[1]));
        }
        case "lost" -> losses.countDown();
        case "log" -> {
          if (words[2].equals("turn")) {
            turnsOfScript.add(Long.parseLong(words[1]));
          } else if (words[2].equals("lost")) {
            losses.countDown();
          }
        }
        default -> {}
      }
      notifyAll();
    }

    /** Returns the time until which the holder may use the lock, as it last knew it. */
    synchronized long deadline() {
      return deadline;
    }

    /** Waits until script and Java code know that the lock is lost. */
    void awaitLoss() throws EngineFailure, InterruptedException {
      if (!losses.await(Trial.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new EngineFailure("a holder does not notice that its lock is lost");
      }
    }

    /** Waits for a turn with the lock; returns false if the lock was lost before. */
    synchronized boolean awaitTurnAfter(long nanos) throws EngineFailure, InterruptedException {
      long limit = System.nanoTime() + Trial.LIMIT.toNanos();
      while (turns.getLast() - nanos < 0) {
        if (losses.getCount() < 2) {
          return false;
        }
        if (System.nanoTime() - limit > 0) {
          throw new EngineFailure("a holder does not continue");
        }
        wait(100);
      }
      return true;
    }

    void release() throws EngineFailure {
      agent.send("release");
      agent.evaluate("held = false; release(); 0");
    }

    /** Checks that no turn that relies on the lock began after others got it. */
    synchronized void checkTurns(long granted) {
      if (turns.stream().anyMatch(each -> each - granted > 0)) {
        trial.history().complain("a turn of Java code began with a lock that had passed on");
      }
      // one may have been under way, before its first statement
      if (turnsOfScript.stream().filter(each -> each - granted > 0).count() > 1) {
        trial.history().complain("a turn of script began with a lock that had passed on");
      }
    }

    @Override
    public void close() {
      trial.members().kill(agent.child());
    }
  }
}
