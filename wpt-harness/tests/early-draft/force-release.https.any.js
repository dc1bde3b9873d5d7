// META: title=forceRelease() of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const holders = [await hold([a, b]), await hold(c, {mode: 'shared'}), await hold(c, {mode: 'shared'})];
  await navigator.locks.forceRelease(b);
  assert_object_equals(await stateOfName(a), {held: [], pending: []});
  assert_equals((await stateOfName(c)).held.length, 2);
  await navigator.locks.forceRelease(c);
  assert_object_equals(await stateOfName(c), {held: [], pending: []});
  for (const holder of holders) {
    await promise_rejects_dom(t, 'AbortError', holder.done);
  }
}, 'all locks whose scope contains the name are removed');

promise_test(async t => {
  const [a, b, c] = [newName(), newName(), newName()];
  const holders = [await hold(a), await hold(b), await hold(c)];
  await navigator.locks.forceRelease([a, b, a, newName()]);
  assert_equals((await stateOfName(a)).held.length, 0);
  assert_equals((await stateOfName(b)).held.length, 0);
  assert_equals((await stateOfName(c)).held.length, 1);
  holders[2].release();
  await promise_rejects_dom(t, 'AbortError', holders[0].done);
  await promise_rejects_dom(t, 'AbortError', holders[1].done);
  await holders[2].done;
}, 'a sequence means each of its names');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  const order = [];
  const holders = [await hold(a), await hold(b)];
  const both = navigator.locks.acquire([a, b], async () => {
    order.push('both');
    assert_object_equals(await stateOfName(a), {held: ['2 exclusive'], pending: ['1 exclusive']});
    assert_object_equals(await stateOfName(b), {held: ['2 exclusive'], pending: ['1 exclusive']});
  });
  const onA = navigator.locks.acquire(a, () => { order.push('a'); });
  const onB = navigator.locks.acquire(b, () => { order.push('b'); });
  await navigator.locks.forceRelease([a, b]);
  await Promise.all([both, onA, onB]);
  assert_array_equals(order, ['both', 'a', 'b']);
  for (const holder of holders) {
    await promise_rejects_dom(t, 'AbortError', holder.done);
  }
}, 'all removals come before any waiting request proceeds');

promise_test(async t => {
  const name = newName();
  const holder = await hold(name);
  const waits = navigator.locks.acquire(name, () => 'granted');
  await navigator.locks.forceRelease(name);
  assert_equals(await waits, 'granted', 'requests are not removed');
  await promise_rejects_dom(t, 'AbortError', holder.done);
}, 'requests stay in the queue and are granted');

promise_test(async t => {
  const name = newName();
  const holder = await hold(name);
  await navigator.locks.forceRelease(name);
  const next = await hold(name);
  holder.release();
  await parallelStepsDone();
  assert_equals((await stateOfName(name)).held.length, 1, 'that of the next holder');
  next.release();
  await next.done;
  await promise_rejects_dom(t, 'AbortError', holder.done);
}, 'a waiting promise that settles later releases nothing');

promise_test(async t => {
  const p = navigator.locks.forceRelease(newName());
  assert_true(p instanceof Promise);
  assert_equals(await p, undefined);
}, 'forceRelease() resolves with undefined, also where nothing is held');

promise_test(async t => {
  await promise_rejects_js(t, TypeError, navigator.locks.forceRelease([]));
  await promise_rejects_js(t, TypeError, navigator.locks.forceRelease());
  await promise_rejects_js(t, TypeError, navigator.locks.forceRelease([Symbol()]));
  const {forceRelease} = navigator.locks;
  await promise_rejects_js(t, TypeError, forceRelease('a'));
}, 'an empty scope, or none, is a TypeError');

promise_test(async t => {
  const name = newName();
  await promise_rejects_dom(t, 'AbortError', navigator.locks.acquire(name, async () => {
    await navigator.locks.forceRelease(name);
    await parallelStepsDone();
    return 'too late';
  }));
}, 'a script can release what it holds itself');
