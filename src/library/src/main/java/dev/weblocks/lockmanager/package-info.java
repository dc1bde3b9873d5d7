/**
 * The manager side of Web Locks, where commands of agents become effects: the lock managers of the
 * storage buckets of a user agent as a state machine without threads, clock or script.
 *
 * <p>It follows sections 2 and 4 of <a href="https://www.w3.org/TR/2025/WD-web-locks-20250924/">Web
 * Locks API, W3C Working Draft of 24 September 2025</a>. All section and step numbers in this
 * package and in {@code dev.weblocks.lockmanager.message} are of that revision. A number beside a
 * line is the step of the algorithm whose link is above the method.
 *
 * <p>{@link dev.weblocks.lockmanager.LockManagers} executes the commands, in the order of a lock
 * task queue in a higher package, and returns what each did. The words are the draft's: a lock
 * request waits in the lock request queue of its name and becomes a lock in the held lock set.
 *
 * <p>The algorithms follow the draft. Each {@link Variant} of the manager's side overrides a method
 * of {@code LockRules}, whose default methods implement the draft.
 *
 * <h2>Text decisions</h2>
 *
 * <p>Decisions where the draft leaves something open, or where its words differ from its intent.
 * The name in brackets is a test, in {@code TextDecisionsTest} unless a class is given; "agent"
 * marks a decision that the agent side carries out; here only its effects are visible.
 *
 * <ol>
 *   <li>4.1 step 3.5.1: an {@code ifAvailable} request that is not grantable ends there. "Abort
 *       these steps" is inside the enqueued task, but without it the request would enter the queue.
 *       The miss reaches the client as an effect, so the callback runs in a task of its own.
 *       [if_available_miss_ends_the_request_and_has_an_effect]
 *   <li>4.1 step 3.5.1 and 4.4 step 2.14: the task runs on the event loop of the callback's
 *       settings object. A parent's callback given to a frame's {@code LockManager} runs in the
 *       parent, while the lock belongs to the frame. Agent; the effect goes to the client of the
 *       request. [every_effect_goes_to_the_client_that_made_the_request]
 *   <li>2.4 step 2, 4.1 step 3.4.1.1.2, 4.5 step 6: the lock task queue settles no promise itself.
 *       Each settlement is an effect, and for the agent a task on the web locks tasks source of the
 *       promise's realm. [steal_release_and_query_have_effects_that_settle_promises]
 *   <li>4.3, 4.4 step 2.14.1: an abort works until the grant task begins the callback, and is
 *       ignored from then on. If the signal was aborted by then, the lock is released and the
 *       callback never runs. Agent; for the manager, a granted request is a lock: an abort does not
 *       change it, and a release ends it. [an_abort_that_comes_after_the_grant_changes_nothing,
 *       abort_after_the_grant_does_not_prevent_a_normal_release]
 *   <li>4.4 step 2.14.1.1.1 releases a lock without resolving its released promise. The effect
 *       {@code Released} is sent nevertheless: the signal has already rejected the promise, so
 *       resolving it does nothing. [abort_after_the_grant_does_not_prevent_a_normal_release]
 *   <li>4.3 step 7: an abort processes the queue, so shared waiters behind an aborted exclusive
 *       request are granted at once.
 *       [shared_requests_behind_an_aborted_exclusive_request_are_granted_at_once]
 *   <li>2.4: the released promise is resolved only after the step that releases the lock and grants
 *       it to others. [released_effect_follows_the_grants_that_the_release_allows]
 *   <li>2.4: the waiting promise of a stolen lock settles later without effect; the released
 *       promise has been rejected, and the stealing request keeps the lock.
 *       [release_of_a_stolen_lock_changes_nothing]
 *   <li>4.1 step 3.4.1: a lock may be stolen before its callback has run. The callback still runs,
 *       since nothing in the text forbids that. Agent; the client gets the grant, then the steal.
 *       [stolen_lock_is_reported_as_granted_and_then_as_stolen]
 *   <li>4.1 step 3.4.1 removes from the set that it iterates over. It is read as iterating over the
 *       locks held before, in the order of their grants.
 *       [a_steal_takes_all_locks_of_the_name_in_grant_order]
 *   <li>4.1 has no condition on the mode of a steal; only 3.2.1 step 7 has. A shared steal takes
 *       the name, and shared waiters at the head of the queue are granted with it.
 *       [shared_steal_grants_the_shared_requests_at_the_queue_head]
 *   <li>2.6 ends the locks of an agent. Same-origin frames share an agent, and a closed frame must
 *       not end the locks of its parent. So requests and locks end with their client, the
 *       environment. [end_of_a_client_ends_only_its_own_locks_and_requests]
 *   <li>2.6: the locks of a terminated agent are released only after its context has stopped.
 *       Agent: it sends the end of the client then.
 *       [lock_that_is_not_released_is_kept_until_its_client_ends]
 *   <li>2.6 step 1 aborts one request after the other, and each abort processes a queue. That could
 *       grant a later request of the same client: an ended client would hold a lock until step 2.
 *       So all its requests are removed before the first queue is processed.
 *       [an_ending_client_is_granted_no_lock]
 *   <li>2.6 names no order: requests are removed in the order in which they were made, then locks
 *       in the order in which they were granted, over all lock managers.
 *       [end_of_client_removes_requests_first_and_then_locks_in_order]
 *   <li>2.6: an ended client gets no effects; there is no realm left to settle its promises.
 *       [an_ended_client_gets_no_effects]
 *   <li>2.6: a command that arrives after the end of its client does nothing. The lock task queue
 *       drops it, since {@code LockManagers} stores no ended clients.
 *       [LockTaskQueueTest.a_request_that_arrives_after_the_end_of_its_client_is_ignored]
 *   <li>2.5 keeps an empty queue for every name ever used; here a name is dropped with its last
 *       lock or request. This is visible only in the order of names in {@code pending}, which 4.5
 *       leaves open: a name is listed by the time when it last came into use.
 *       [pending_lists_names_in_the_order_of_queue_creation]
 *   <li>4.5 leaves the order of {@code held} open: it is the order of the grants over all names.
 *       [held_lists_locks_of_all_names_in_grant_order]
 *   <li>2.1: a name is a JavaScript string and is compared code unit by code unit; lone surrogates
 *       stay. [names_that_differ_only_in_a_lone_surrogate_are_different]
 *   <li>2.2 does not cover a bucket that is removed. Its held locks stay held, and waiting requests
 *       are granted in turn, since a lock is not data but an agreement between scripts. Only new
 *       requests and queries are refused. Agent; for the manager nothing happens.
 *       [BucketLocksTest.locks_and_requests_of_a_deleted_bucket_stay_valid,
 *       BucketLocksTest.lock_manager_of_a_deleted_bucket_rejects_requests_and_queries]
 * </ol>
 */
@NullMarked
package dev.weblocks.lockmanager;

import dev.weblocks.model.Variant;
import org.jspecify.annotations.NullMarked;
