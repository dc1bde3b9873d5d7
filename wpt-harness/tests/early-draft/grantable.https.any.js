// META: title=Which requests are grantable in the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

// Whether a lock could be had now; nothing of the question stays.
function isAvailable(scope, mode) {
  let available = true;
  navigator.locks.acquire(scope, {mode, ifAvailable: true}, lock => {
    if (lock === null) available = false;
  });
  return available;
}

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const one = await hold([a, b]);
  assert_false(isAvailable(a, 'exclusive'));
  assert_false(isAvailable([c, b], 'exclusive'));
  assert_false(isAvailable([a, b, c], 'exclusive'));
  assert_true(isAvailable(c, 'exclusive'));
  one.release();
  await one.done;
  const two = await hold([a, b], {mode: 'shared'});
  assert_false(isAvailable([c, b], 'exclusive'), 'a shared lock is in the way, too');
  two.release();
  await two.done;
  assert_true(isAvailable([a, b, c], 'exclusive'));
}, 'exclusive: a lock whose scope intersects is in the way');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const holder = await hold(a);
  const order = [];
  const first = navigator.locks.acquire([a, b], {mode: 'shared'}, () => { order.push('first'); });
  assert_false(isAvailable(b, 'exclusive'), 'nobody holds it, but an earlier request wants it');
  assert_false(isAvailable([c, b], 'exclusive'));
  assert_true(isAvailable(c, 'exclusive'));
  const second = navigator.locks.acquire([b, c], () => { order.push('second'); });
  const third = navigator.locks.acquire(c, () => { order.push('third'); });
  holder.release();
  await Promise.all([first, second, third]);
  assert_array_equals(order, ['first', 'second', 'third']);
}, 'exclusive: an earlier request whose scope intersects is in the way');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const writer = await hold([a, b]);
  assert_false(isAvailable([b, c], 'shared'));
  assert_true(isAvailable(c, 'shared'));
  writer.release();
  await writer.done;
  const reader = await hold([a, b], {mode: 'shared'});
  assert_true(isAvailable([b, c], 'shared'));
  const another = await hold([b, c], {mode: 'shared'});
  reader.release();
  another.release();
}, 'shared: an exclusive lock whose scope intersects is in the way, and no shared one');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const reader = await hold(a, {mode: 'shared'});
  const writer = navigator.locks.acquire([a, b], () => {});
  assert_false(isAvailable(a, 'shared'), 'an earlier exclusive request');
  assert_false(isAvailable([b, c], 'shared'));
  assert_true(isAvailable(c, 'shared'));
  reader.release();
  await writer;

  const holder = await hold(a);
  const waits = navigator.locks.acquire([a, b], {mode: 'shared'}, () => {});
  assert_true(isAvailable([b, c], 'shared'), 'an earlier shared request');
  holder.release();
  await waits;
}, 'shared: an earlier exclusive request whose scope intersects is in the way, and no shared one');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  const holder = await hold(a);
  const first = navigator.locks.acquire([a, b], () => 'first');
  const later = navigator.locks.acquire(b, () => 'later');
  const readers = [hold(b, {mode: 'shared'}), hold(b, {mode: 'shared'})];
  assert_equals(await stateOf(later), 'pending');
  holder.release();
  assert_equals(await first, 'first', 'later requests are in nobody\'s way');
  assert_equals(await later, 'later');
  for (const reader of await Promise.all(readers)) {
    reader.release();
  }
}, 'a request is passed by no later one that it meets');
