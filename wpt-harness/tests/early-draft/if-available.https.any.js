// META: title=The option ifAvailable of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  let args;
  const p = navigator.locks.acquire(name, {ifAvailable: true}, function () { args = [...arguments]; });
  assert_array_equals(args, [null], 'called before acquire() returns');
  await p;
  held.release();
}, 'a callback whose lock is not available is called with null within acquire()');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const miss = callback => navigator.locks.acquire(name, {ifAvailable: true}, callback);
  assert_equals(await miss(() => 'regular'), 'regular');
  assert_equals(await miss(async () => 'promise'), 'promise');
  assert_equals(await miss(() => ({then(resolve) { resolve('thenable'); }})), 'thenable');
  const error = new Error('mine');
  await promise_rejects_exactly(t, error, miss(() => { throw error; }));
  await promise_rejects_exactly(t, error, miss(async () => { throw error; }));
  held.release();
}, 'the promise is resolved with what that callback comes to');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const never = navigator.locks.acquire(name, {ifAvailable: true}, () => new Promise(() => {}));
  const {pending} = await stateOfName(name);
  assert_array_equals(pending, []);
  assert_equals(await stateOf(never), 'pending', 'it is the callback that has not come to an end');
  held.release();
  await held.done;
  await navigator.locks.acquire(name, {ifAvailable: true}, lock => assert_not_equals(lock, null));
}, 'a request that is not available is not enqueued');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const error = new Error('mine');
  let p;
  try {
    p = navigator.locks.acquire(name, {ifAvailable: true}, () => { throw error; });
  } catch {
    assert_unreached('acquire() throws nothing');
  }
  await promise_rejects_exactly(t, error, p);
  held.release();
}, 'what a callback throws within acquire() is not thrown by acquire()');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const order = [];
  const p = navigator.locks.acquire(name, {ifAvailable: true}, lock => {
    order.push('outer');
    navigator.locks.acquire(name, {ifAvailable: true}, inner => { order.push('inner'); });
    order.push('outer again');
  });
  order.push('script');
  await p;
  assert_array_equals(order, ['outer', 'inner', 'outer again', 'script']);
  held.release();
}, 'a callback within acquire() may acquire');

promise_test(async t => {
  const name = newName();
  let called = false;
  const p = navigator.locks.acquire(name, {ifAvailable: true}, lock => {
    called = true;
    return lock;
  });
  assert_false(called, 'granted in parallel, like any other');
  assert_true((await p) instanceof Lock);
}, 'a request that is available is granted like any other');

promise_test(async t => {
  const name = newName();
  await navigator.locks.acquire(name, () => {});
  let lock = null;
  await navigator.locks.acquire(name, {ifAvailable: true}, l => { lock = l; });
  assert_not_equals(lock, null);
}, 'a lock is available when the promise of its last holder has settled');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const signal = AbortSignal.abort();
  assert_equals(await navigator.locks.acquire(name, {ifAvailable: true, signal}, () => 'missed'), 'missed');
  await promise_rejects_dom(t, 'AbortError',
      navigator.locks.acquire(newName(), {ifAvailable: true, signal}, t.unreached_func()));
  held.release();
}, 'a signal counts for a request that is available alone');
