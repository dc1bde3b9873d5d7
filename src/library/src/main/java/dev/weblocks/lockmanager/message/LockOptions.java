package dev.weblocks.lockmanager.message;

import dev.weblocks.model.LockMode;
import dev.weblocks.model.WaitMode;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a lock request.
 *
 * @param name the resource name, any UTF-16 string; lone surrogates stay as they are
 * @param waitMode the behaviour when the lock is not free
 * @param reentrant whether the client may enter the name again while it holds the lock; has an
 *     effect only with the variant {@code reentrant}
 * @param position of the call in a script, as {@code url:line:column}, for diagnoses; null if it is
 *     not known
 */
public record LockOptions(
    String name, LockMode mode, WaitMode waitMode, boolean reentrant, @Nullable String position) {

  /** Returns the options of the draft, without a position. */
  public static LockOptions of(String name, LockMode mode, WaitMode waitMode) {
    return new LockOptions(name, mode, waitMode, false, null);
  }

  /** Returns the same options with another behaviour when the lock is not free. */
  public LockOptions withWaitMode(WaitMode newWaitMode) {
    return new LockOptions(name, mode, newWaitMode, reentrant, position);
  }
}
