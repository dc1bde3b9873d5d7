package dev.weblocks.lockmanager.message;

import org.jspecify.annotations.Nullable;

/**
 * One thing that a command did: a transition of a request or lock, with its effect on the client,
 * or an effect without a transition, such as the answer to a query. The outcomes of a command are
 * in the order of the draft's steps.
 */
public sealed interface LockOutcome permits LockTransition, LockEffect {

  /** Returns the effect, which becomes a task of its client; null if there is none. */
  @Nullable LockEffect effect();
}
