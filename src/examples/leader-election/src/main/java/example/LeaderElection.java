package example;

import dev.weblocks.embed.Globals;
import dev.weblocks.embed.HeldLock;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import dev.weblocks.model.LockInfo;
import dev.weblocks.model.LockManagerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * An election of a leader among contexts: the holder of a lock leads, and keeps the lock until it
 * ends. When the leader ends, for any reason, the next in the queue leads. Java code watches as one
 * more client of the same locks, and can take the lead by force.
 *
 * <pre>
 * mvn package
 * java -jar target/leader-election.jar
 * </pre>
 */
public final class LeaderElection {

  private static final String ORIGIN = "https://cluster.test";

  private static final Source CANDIDATE =
      Source.newBuilder(
              "js",
              """
              navigator.locks.request('leader', () => {
                announce(node + ' leads');
                return new Promise(() => {}); // never settles: the lock is held as long as we live
              }).catch(error => {
                // Here it must stop all that only the leader does.
                announce(node + ' was deposed, ' + error.name);
              });
              """,
              "candidate.js")
          .buildLiteral();

  private final BlockingQueue<String> announcements = new LinkedBlockingQueue<>();

  public static void main(String[] arguments) throws Exception {
    new LeaderElection().run();
  }

  private void run() throws Exception {
    // Closed from last to first: the engine, which closes the contexts, after all turns.
    try (Engine engine = Engine.create("js");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        UserAgent userAgent = UserAgent.newBuilder().build();
        LockClient watcher = userAgent.openLockClient(ORIGIN)) {
      List<Installation> nodes = new ArrayList<>();
      for (String node : List.of("node-1", "node-2", "node-3")) {
        nodes.add(nominate(node, engine, threads, userAgent));
      }
      printAnnouncement();
      printQueue(watcher);

      nodes.getFirst().close(); // like a crash of its script or the end of its tenant
      printAnnouncement();
      printQueue(watcher);

      try (HeldLock lead = watcher.steal("leader").join()) {
        System.out.println("Java has taken " + lead);
        printAnnouncement();
        printQueue(watcher);
      }
      printAnnouncement();
    }
  }

  /** Creates a context with a candidate, which has requested the lead when this returns. */
  private Installation nominate(
      String node, Engine engine, ExecutorService threads, UserAgent userAgent) {
    Context context =
        Context.newBuilder("js")
            .engine(engine)
            .option("js.unhandled-rejections", "handler") // or they would not be reported
            .build();
    context.getBindings("js").putMember("node", node);
    context
        .getBindings("js")
        .putMember("announce", (ProxyExecutable) values -> announcements.add(values[0].asString()));
    Installation installation =
        userAgent
            .installInto(context)
            .origin(ORIGIN)
            .name(node)
            .clientId(node) // so that the queue shows names
            .globals(Globals.LOCKS)
            .install(threads);
    // From here on the context belongs to its event loop, so the script is evaluated there.
    installation.submit(() -> context.eval(CANDIDATE).isNull()).toCompletableFuture().join();
    return installation;
  }

  private void printAnnouncement() throws InterruptedException {
    System.out.println(announcements.poll(1, TimeUnit.MINUTES));
  }

  private static void printQueue(LockClient watcher) {
    LockManagerSnapshot locks = watcher.query().join();
    System.out.println(
        "  held by "
            + clients(locks.held(), watcher)
            + ", awaited by "
            + clients(locks.pending(), watcher));
  }

  private static List<String> clients(List<LockInfo> entries, LockClient watcher) {
    return entries.stream()
        .map(entry -> entry.clientId().equals(watcher.clientId()) ? "Java" : entry.clientId())
        .toList();
  }
}
