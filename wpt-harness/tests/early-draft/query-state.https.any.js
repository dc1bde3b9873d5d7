// META: title=queryState() of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const p = navigator.locks.queryState();
  assert_true(p instanceof Promise);
  const state = await p;
  assert_array_equals(Object.keys(state).sort(), ['held', 'pending']);
  assert_true(Array.isArray(state.held));
  assert_true(Array.isArray(state.pending));
  assert_not_equals(state, await navigator.locks.queryState());
}, 'queryState() returns a promise for what is held and pending');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const holders = [await hold([b, a], {mode: 'shared'}), await hold(c)];
  const mine = entry => entry.scope.some(name => [a, b, c].includes(name));
  const held = (await navigator.locks.queryState()).held.filter(mine);
  assert_equals(held.length, 2);
  assert_object_equals(held[0], {scope: [b, a], mode: 'shared'});
  assert_object_equals(held[1], {scope: [c], mode: 'exclusive'});
  assert_array_equals(Object.keys(held[0]).sort(), ['mode', 'scope']);
  for (const holder of holders) {
    holder.release();
  }
}, 'held has the scope and the mode of each lock, in the order of the grants');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const holder = await hold(a);
  const waits = [
    navigator.locks.acquire([c, a], () => {}),
    navigator.locks.acquire([a, b], {mode: 'shared'}, () => {}),
    navigator.locks.acquire(a, () => {}),
  ];
  const pending = (await navigator.locks.queryState()).pending.filter(e => e.scope.includes(a));
  assert_equals(pending.length, 3);
  assert_object_equals(pending[0], {scope: [c, a], mode: 'exclusive'});
  assert_object_equals(pending[1], {scope: [a, b], mode: 'shared'});
  assert_object_equals(pending[2], {scope: [a], mode: 'exclusive'});
  holder.release();
  await Promise.all(waits);
}, 'pending has the scope and the mode of each request, in the order of the queue');

promise_test(async t => {
  const name = newName();
  const holder = await hold(name);
  const one = await navigator.locks.queryState();
  one.held.forEach(entry => { entry.scope.push('changed'); entry.mode = 'changed'; });
  one.held.length = 0;
  assert_object_equals(await stateOfName(name), {held: ['1 exclusive'], pending: []});
  holder.release();
}, 'what queryState() tells is a copy');

promise_test(async t => {
  const name = newName();
  const before = navigator.locks.queryState();
  const held = hold(name);
  const after = navigator.locks.queryState();
  const has = state => [...state.held, ...state.pending].some(entry => entry.scope.includes(name));
  assert_true(has(await after));
  (await held).release();
  await before;
}, 'a query tells of the requests made before it');

promise_test(async t => {
  const name = newName();
  const done = navigator.locks.acquire(name, () => {});
  await done;
  assert_object_equals(await stateOfName(name), {held: [], pending: []});
}, 'what is released is told of no more');

promise_test(async t => {
  const {queryState} = navigator.locks;
  await promise_rejects_js(t, TypeError, queryState());
}, 'queryState() of something else than a LockManager rejects');
