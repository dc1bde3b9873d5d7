package dev.weblocks.harness.stress;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The number of reachable JavaScript realms before and after some work.
 *
 * @param before -1 if unknown
 * @param after counted after all threads of the work have ended; -1 if unknown
 */
public record RealmCount(int before, int after) {

  record Around<T>(T result, RealmCount realms) {}

  /**
   * Runs work on a new thread, and counts realms before and after. The JVM retains the last
   * exception of a thread with its realm, so leaks are counted after every thread has ended.
   *
   * @throws IllegalStateException if the work fails, or the caller is interrupted
   */
  static <T> Around<T> around(Callable<T> work) {
    int before = Vitals.realms();
    T result;
    try (ExecutorService own = Executors.newSingleThreadExecutor()) {
      result = own.submit(work).get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted");
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the run failed", failed.getCause());
    }
    int after = Vitals.realms();
    // threads that ended agents are idle for a while before they end
    for (int i = 0; i < 50 && after > before; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      after = Vitals.realms();
    }
    return new Around<>(result, new RealmCount(before, after));
  }

  /** Returns whether no realm has leaked. */
  public boolean isClean() {
    return after <= before;
  }
}
