package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a lock request.
 *
 * @param name the resource name, any UTF-16 string; lone surrogates stay as they are
 * @param waitMode the behaviour when the lock is not free
 * @param reentrant whether the client may get further locks of the name while it holds this lock;
 *     has an effect only with the variant {@code reentrant}
 * @param position of the call in a script, as {@code url:line:column}, for diagnoses; null if it is
 *     not known
 */
public record LockOptions(
    String name, LockMode mode, WaitMode waitMode, boolean reentrant, @Nullable String position) {

  /** Returns options that are not reentrant and have no position. */
  public static LockOptions of(String name, LockMode mode, WaitMode waitMode) {
    return new LockOptions(name, mode, waitMode, false, null);
  }

  /** Returns a copy of these options with another wait mode. */
  public LockOptions withWaitMode(WaitMode newWaitMode) {
    return new LockOptions(name, mode, newWaitMode, reentrant, position);
  }
}
