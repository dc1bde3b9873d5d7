// META: title=The algorithm "request a lock" of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const p = navigator.locks.acquire(newName(), () => {});
  assert_true(p instanceof Promise);
  assert_not_equals(p, navigator.locks.acquire(newName(), () => {}));
  await p;
}, 'acquire() returns a new promise');

promise_test(async t => {
  const name = newName();
  const first = navigator.locks.acquire(name, () => {});
  let given;
  const second = navigator.locks.acquire(name, {ifAvailable: true}, lock => { given = lock; });
  assert_equals(given, null, 'the first one is in the queue or held already');
  await Promise.all([first, second]);
}, 'a request is in the queue of its origin when acquire() returns');

promise_test(async t => {
  const name = newName();
  const order = [];
  const held = await hold(name);
  const waits = [1, 2, 3].map(i => navigator.locks.acquire(name, () => { order.push(i); }));
  held.release();
  await Promise.all(waits);
  assert_array_equals(order, [1, 2, 3]);
}, 'requests leave the queue in the order in which they were made');

promise_test(async t => {
  const name = newName();
  let called = 0;
  let microtaskRan = false;
  Promise.resolve().then(() => { microtaskRan = true; });
  const p = navigator.locks.acquire(name, lock => {
    called++;
    assert_true(microtaskRan, 'not within the call, nor in a microtask of the script');
    assert_true(lock instanceof Lock);
  });
  assert_equals(called, 0);
  await p;
  assert_equals(called, 1);
}, 'a request that is grantable is granted in parallel, and its callback called once');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  let granted = false;
  const waits = navigator.locks.acquire(name, () => { granted = true; });
  await parallelStepsDone();
  assert_false(granted);
  assert_equals((await stateOfName(name)).pending.length, 1);
  held.release();
  await waits;
  assert_true(granted);
}, 'a request waits until it is grantable');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  const one = await hold(a);
  const two = await hold(b);
  const both = navigator.locks.acquire([a, b], () => 'granted');
  one.release();
  await one.done;
  assert_equals(await stateOf(both), 'pending');
  two.release();
  assert_equals(await both, 'granted');
}, 'a request of several names is granted when all of them are free, and holds none before');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  await navigator.locks.acquire([b, a], {mode: 'shared'}, async lock => {
    assert_array_equals(lock.scope, [a, b]);
    assert_equals(lock.mode, 'shared');
    assert_object_equals(await stateOfName(a), {held: ['2 shared'], pending: []});
  });
}, 'the lock has the mode and the scope of its request, which is in the queue no more');

promise_test(async t => {
  let args;
  let self_;
  await navigator.locks.acquire(newName(), function () { 'use strict'; args = arguments; self_ = this; });
  assert_equals(args.length, 1, 'the lock is the only argument');
  assert_equals(self_, undefined);
}, 'the callback gets the lock alone');

promise_test(async t => {
  const locks = [];
  await navigator.locks.acquire(newName(), lock => { locks.push(lock); });
  await navigator.locks.acquire(newName(), lock => { locks.push(lock); });
  assert_not_equals(locks[0], locks[1]);
}, 'each callback gets a Lock object of its own');

promise_test(async t => {
  assert_equals(await navigator.locks.acquire(newName(), () => 'regular'), 'regular');
  assert_equals(await navigator.locks.acquire(newName(), () => {}), undefined);
  assert_equals(await navigator.locks.acquire(newName(), async () => 'promise'), 'promise');
  const value = {};
  assert_equals(await navigator.locks.acquire(newName(), () => value), value);
}, 'the promise is resolved with what the callback returns');

promise_test(async t => {
  const error = new Error('mine');
  await promise_rejects_exactly(t, error, navigator.locks.acquire(newName(), () => { throw error; }));
  await promise_rejects_exactly(t, error, navigator.locks.acquire(newName(), async () => { throw error; }));
  await promise_rejects_exactly(t, undefined,
      navigator.locks.acquire(newName(), () => { throw undefined; }));
  await promise_rejects_exactly(t, error, navigator.locks.acquire(newName(), () => Promise.reject(error)));
}, 'the promise is rejected with what the callback throws');

promise_test(async t => {
  const name = newName();
  let adopted = 0;
  const thenable = {then(resolve) { resolve(++adopted); }};
  assert_equals(await navigator.locks.acquire(name, () => thenable), 2);
  assert_equals(adopted, 2, 'once for the waiting promise, then for that of acquire()');
}, 'the waiting promise is resolved with what the callback returns, and then that of acquire()');

promise_test(async t => {
  const name = newName();
  const events = [];
  const held = navigator.locks.acquire(name, () => {
    queueMicrotask(() => events.push('microtask'));
    return {then(resolve) { events.push('adopted'); resolve(); }};
  });
  await held;
  assert_array_equals(events, ['microtask', 'adopted', 'adopted']);
}, 'microtasks of a callback run before what it has returned is adopted');

promise_test(async t => {
  const name = newName();
  let inner;
  await navigator.locks.acquire(name, async () => {
    inner = navigator.locks.acquire(name, () => 'granted');
    assert_equals(await stateOf(inner), 'pending');
  });
  assert_equals(await inner, 'granted');
}, 'a request for what the same script holds waits like any other');
