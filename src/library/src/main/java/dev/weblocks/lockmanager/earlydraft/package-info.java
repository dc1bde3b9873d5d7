/**
 * The manager side of the early draft of Web Locks, which locks sets of names: the held lock set
 * and the lock request queue of each origin as a state machine without threads, clock or script,
 * and the steps that the draft runs in parallel.
 *
 * <p>The early draft is the text that came before the Working Draft, titled "Locks API" in its own
 * repository and marked there as an early iteration on the algorithms. It has no section numbers,
 * so a comment such as {@code // Early draft, "Algorithm: request a lock"} names a heading. The
 * numbers beside the lines are steps below that heading; nested steps are counted in their order,
 * such as 5.1. Each step has exactly one such comment, here or in {@code
 * dev.weblocks.locks.earlydraft}: {@code docs/STEPS.md} is generated from them. This package shares
 * ids, modes and observers with the implementation of the Working Draft, but no algorithm.
 *
 * <p>{@link dev.weblocks.lockmanager.earlydraft.ParallelSteps} takes commands from agents and runs
 * them at once or queues them; {@link dev.weblocks.lockmanager.earlydraft.LockStates} executes
 * them.
 *
 * <h2>Text decisions</h2>
 *
 * <p>Decisions where the draft leaves something open, has a TODO, or has an obvious mistake. The
 * name in brackets is a test, in {@code EarlyDraftDecisionsTest} unless a class is given; "agent"
 * marks a decision that the package {@code dev.weblocks.locks.earlydraft} carries out.
 *
 * <ol>
 *   <li>"TODO: Define how a lock held in a terminated agent is released": in the same way as its
 *       requests leave the queue. Locks and requests belong to a client, the environment. When the
 *       client ends, all its requests leave the queue and all its locks leave the held lock set,
 *       before any waiting steps proceed. A client ends with its document or agent, once script can
 *       no longer run. None of its promises is settled.
 *       [an_ended_client_loses_locks_and_requests_before_others_proceed,
 *       an_ended_client_gets_no_effects]
 *   <li>"TODO: More explicitly define 'in the origin'": the held lock set and the queue belong to
 *       the default storage bucket of a storage key, the origin together with the top-level site,
 *       in one user agent: environments that share {@code localStorage} share locks, as the
 *       explainer requires. Agent. [origins_share_no_locks,
 *       EarlyDraftBehaviourTest.locks_are_shared_only_by_agents_of_one_origin]
 *   <li>"TODO: How does the Promise returned by {@code acquire} get resolved in a force-release
 *       case?" It is rejected with an AbortError, in a task, and the later result of the callback
 *       is ignored. The draft resolves <i>p</i> with <i>r</i> as soon as the callback has returned;
 *       a promise that is resolved with a pending one cannot be rejected any more. So <i>p</i> is
 *       an internal promise that is resolved in this way, and {@code acquire} returns another one.
 *       That is settled by <i>p</i> or by the forced release, whichever comes first.
 *       [forced_release_has_an_effect_for_every_released_lock,
 *       EarlyDraftBehaviourTest.promise_of_a_lock_that_is_released_by_force_is_rejected]
 *   <li>{@code forceRelease}: the steps return rejected promises, but no promise on success. Here
 *       it returns a promise that is resolved with undefined when the locks are removed.
 *       [forced_release_reports_its_completion]
 *   <li>{@code forceRelease}: a callback that is already due still runs, although its lock is
 *       released; the callback is not notified. [forced_release_affects_only_granted_requests]
 *   <li>request a lock, step 5: the callback is invoked within {@code acquire}, and has returned
 *       when {@code acquire} returns. No other step runs between the check and the enqueueing in
 *       step 6. Agent.
 *       [EarlyDraftBehaviourTest.callback_runs_inside_acquire_when_the_lock_is_not_available]
 *   <li>request a lock, step 7.1: "Wait until signal's <b>aborted lock</b> is set" means the
 *       aborted flag. A flag that is set from the start aborts the request before it is granted, as
 *       step 7 comes before step 8.
 *       [request_with_an_aborted_signal_is_aborted_unless_its_if_available_fails]
 *   <li>request a lock, steps 7 and 8 in parallel: the condition that becomes true first prevails,
 *       in the order in which parallel steps were begun; its steps abort the other steps. So an
 *       abort that comes after the grant changes nothing, even when the callback has not been
 *       called yet. [an_abort_that_comes_after_the_grant_changes_nothing]
 *   <li>request a lock, step 7.4: the draft is older than abort reasons: always a new AbortError.
 *       Agent. [EarlyDraftBehaviourTest.abort_rejects_with_a_new_abort_error]
 *   <li>request a lock, step 8.1: of several requests that are grantable, those earlier in the
 *       queue proceed first. [requests_proceed_in_the_order_of_the_queue]
 *   <li>request a lock, step 8.6: "Append lock to <i>set</i>" means <i>held</i>.
 *   <li>request a lock, steps 5.1 and 8.7: the callback is of type {@code any}, since <i>r</i> "may
 *       be a regular completion, an abrupt completion, or an unresolved Promise". The waiting
 *       promise and <i>p</i> both adopt <i>r</i>: the {@code then} of a thenable is called twice.
 *       Web IDL performs a microtask checkpoint when a callback has returned. Here the checkpoint
 *       is performed after both promises are resolved; otherwise a rejected promise of the callback
 *       would be reported as unhandled. Agent.
 *       [EarlyDraftBehaviourTest.then_of_a_returned_thenable_is_called_twice,
 *       EarlyDraftBehaviourTest.rejected_promise_returned_by_the_callback_is_handled]
 *   <li>request a lock, step 8.7: the callback runs in a task on the event loop of its own realm,
 *       as in the Working Draft. Agent.
 *   <li>{@code queryState} lists a scope in the order in which its names were given; the draft
 *       sorts only {@code Lock.prototype.scope}. Locks are listed in the order of their grants,
 *       requests in queue order. [query_lists_the_names_of_a_scope_in_the_order_given]
 *   <li>The draft does not mention documents that are not fully active. Such a document gets an
 *       InvalidStateError, as in the Working Draft, since its locks might never be released. Agent.
 *       [EarlyDraftBehaviourTest.document_of_a_removed_frame_gets_no_locks]
 *   <li>Names that begin with a hyphen are reserved in the explainer and the Working Draft, but not
 *       here. Agent. [EarlyDraftBehaviourTest.names_that_begin_with_a_hyphen_are_allowed]
 *   <li>Names are compared code unit by code unit, lone surrogates stay, and sorting is by code
 *       units, as in {@code Array.prototype.sort}. [ScopeTest.names_are_sorted_by_code_units]
 *   <li>The draft does not mention freezing. Here it works as with the Working Draft; see {@code
 *       FrozenLocks}. Agent.
 *       [EarlyDraftBehaviourTest.frozen_window_keeps_or_releases_its_locks_as_requested]
 * </ol>
 */
@NullMarked
package dev.weblocks.lockmanager.earlydraft;

import org.jspecify.annotations.NullMarked;
