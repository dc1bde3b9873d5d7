package example;

import dev.weblocks.embed.Globals;
import dev.weblocks.embed.Installation;
import dev.weblocks.embed.LockClient;
import dev.weblocks.embed.UserAgent;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * A pool of contexts with the same functions, which run tasks: one task at a time in each context.
 * A task is a call of a function, and is done when the promise of the function settles.
 * Thread-safe. The contexts end with their engine, after the user agent.
 */
public final class ContextPool {

  private final LockClient locks;

  // guarded by this; one of the two is empty
  private final Deque<Member> idle = new ArrayDeque<>();
  private final Deque<CompletableFuture<Member>> waiting = new ArrayDeque<>();

  /**
   * Creates a pool.
   *
   * @param contexts the number of contexts, at least 1
   * @param turns runs the event loops of the contexts
   * @param functions a script that defines global functions
   */
  public ContextPool(
      UserAgent userAgent, Engine engine, int contexts, Executor turns, Source functions) {
    locks = userAgent.openLockClient(Installation.DEFAULT_ORIGIN); // that of the contexts
    for (int i = 0; i < contexts; i++) {
      Context context =
          Context.newBuilder("js")
              .engine(engine)
              .option("js.unhandled-rejections", "handler") // or they would not be reported
              .build();
      context.eval(functions);
      Value caller = context.eval("js", "(name, ...values) => globalThis[name](...values)");
      Installation installation =
          userAgent.installInto(context).globals(Globals.TIMERS, Globals.LOCKS).install(turns);
      idle.add(new Member(installation, caller));
    }
  }

  /**
   * Runs a task while holding the lock of a key, which scripts can request too. The task takes a
   * context when it has the lock. So tasks that wait for their key occupy no context.
   */
  public CompletableFuture<String> call(String key, String function, Object... arguments) {
    return locks.withLock(key, lock -> callWithoutLock(function, arguments));
  }

  /** Runs a task without a lock. */
  public CompletableFuture<String> callWithoutLock(String function, Object... arguments) {
    return take()
        .thenCompose(member ->
            member.call(function, arguments).whenComplete((result, failure) -> giveBack(member)));
  }

  private synchronized CompletableFuture<Member> take() {
    Member free = idle.poll();
    if (free != null) {
      return CompletableFuture.completedFuture(free);
    }
    CompletableFuture<Member> next = new CompletableFuture<>();
    waiting.add(next);
    return next;
  }

  private void giveBack(Member member) {
    CompletableFuture<Member> next;
    synchronized (this) {
      next = waiting.poll();
      if (next == null) {
        idle.add(member);
      }
    }
    if (next != null) {
      next.complete(member);
    }
  }

  /**
   * A context of the pool.
   *
   * @param caller a function that calls another one by its name
   */
  private record Member(Installation installation, Value caller) {

    CompletableFuture<String> call(String function, Object... arguments) {
      Stream<Object> all = Stream.concat(Stream.of(function), Arrays.stream(arguments));
      // only text may leave the turn, values of the context must not
      return installation.call(caller, Value::toString, all.toArray());
    }
  }
}
