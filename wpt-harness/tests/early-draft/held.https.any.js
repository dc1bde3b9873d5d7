// META: title=How long a lock of the early draft is held
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const name = newName();
  const held = await hold([name, newName()]);
  const waits = navigator.locks.acquire(name, () => 'granted');
  assert_equals(await stateOf(waits), 'pending');
  assert_equals((await stateOfName(name)).held.length, 1);
  held.release('released');
  assert_equals(await held.done, 'released');
  assert_equals(await waits, 'granted');
}, 'a lock is held until its waiting promise is fulfilled');

promise_test(async t => {
  const name = newName();
  let fail;
  const done = navigator.locks.acquire(name, () => new Promise((_, reject) => { fail = reject; }));
  const waits = navigator.locks.acquire(name, () => 'granted');
  assert_equals(await stateOf(waits), 'pending');
  const error = new Error('mine');
  fail(error);
  await promise_rejects_exactly(t, error, done);
  assert_equals(await waits, 'granted');
}, 'a lock is held until its waiting promise is rejected');

promise_test(async t => {
  const name = newName();
  const done = navigator.locks.acquire(name, () => { throw new Error('mine'); });
  const waits = navigator.locks.acquire(name, () => 'granted');
  await promise_rejects_js(t, Error, done);
  assert_equals(await waits, 'granted');
}, 'a callback that throws holds its lock no longer');

promise_test(async t => {
  const name = newName();
  let resolve;
  let asked = 0;
  const done = navigator.locks.acquire(name, () => ({
    then(resolveIt) {
      if (++asked === 1) resolve = resolveIt; else resolveIt('p');
    },
  }));
  assert_equals(await done, 'p');
  assert_equals((await stateOfName(name)).held.length, 1, 'the waiting promise has not settled');
  resolve();
  await parallelStepsDone();
  assert_equals((await stateOfName(name)).held.length, 0);
}, 'it is the waiting promise that counts, and not that of acquire()');

promise_test(async t => {
  const name = newName();
  let before;
  let after;
  await navigator.locks.acquire(name, async () => {
    navigator.locks.acquire(name, {ifAvailable: true}, lock => { before = lock; });
  }).then(() => {
    after = null;
    return navigator.locks.acquire(name, {ifAvailable: true}, lock => { after = lock; });
  });
  assert_equals(before, null);
  assert_not_equals(after, null);
}, 'a lock is removed before the promise of acquire() tells of it');

promise_test(async t => {
  const name = newName();
  const readers = await Promise.all([1, 2, 3].map(() => hold(name, {mode: 'shared'})));
  const writer = navigator.locks.acquire(name, () => 'written');
  for (const reader of readers) {
    assert_equals(await stateOf(writer), 'pending');
    reader.release();
    await reader.done;
  }
  assert_equals(await writer, 'written');
}, 'an exclusive request waits for all shared locks');
