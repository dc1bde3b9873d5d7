package dev.weblocks.locks;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.IdlPromise;
import dev.weblocks.binding.Implementations;
import dev.weblocks.model.LockMode;

/** The {@code ReleasableLock} interface of the variant callback-less: script releases the lock. */
final class ReleasableLock extends Lock {

  /** The owner of the lock. Called on the event loop. */
  interface Holder {
    /** Releases the lock if it is still held; settles the promise when the lock has ended. */
    void release(IdlPromise promise);
  }

  private final Holder holder;

  ReleasableLock(Realm realm, String name, LockMode mode, Holder holder) {
    super(realm, name, mode);
    this.holder = holder;
  }

  private IdlPromise release(Arguments args) {
    IdlPromise promise = args.promise();
    holder.release(promise);
    return promise;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("ReleasableLock", ReleasableLock.class)
        .promiseOperation("release", ReleasableLock::release);
  }
}
