package dev.weblocks.locks;

import dev.weblocks.binding.ScriptException;
import org.graalvm.polyglot.Value;

/** The receiver of a granted lock, and of the outcome of its request. Called on the event loop. */
interface LockCallback {

  /** Returns whether the callback cannot be called because its document was removed. */
  boolean isGone();

  void granted();

  /** Reports that the lock was not free. */
  void missed();

  /** Settles the request with the outcome of its waiting promise. */
  void settle(boolean fulfilled, Value outcome);

  void lost(ScriptException why);
}
