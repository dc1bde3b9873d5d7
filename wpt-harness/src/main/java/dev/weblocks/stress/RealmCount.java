package dev.weblocks.stress;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How many JavaScript realms could be reached before something was done, and how many after it.
 *
 * @param before -1 if that is unknown
 * @param after when all threads that did it had ended; -1 if that is unknown
 */
public record RealmCount(int before, int after) {

  /** What was done, and the realms around it. */
  record Around<T>(T result, RealmCount realms) {}

  /**
   * Does something on a thread of its own: the JVM keeps the last exception of a thread, and with
   * it the realm that it came from, so that what is left can be counted only when every thread has
   * ended.
   *
   * @throws IllegalStateException if that fails, or the caller is interrupted
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
      throw new IllegalStateException("the run broke off", failed.getCause());
    }
    int after = Vitals.realms();
    // threads that ended agents rest a while before they go
    for (int i = 0; i < 50 && after > before; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      after = Vitals.realms();
    }
    return new Around<>(result, new RealmCount(before, after));
  }

  /** Whether none was left behind. */
  public boolean isClean() {
    return after <= before;
  }
}
