// META: title=The option signal of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const controller = new AbortController();
  const waits = navigator.locks.acquire(name, {signal: controller.signal},
      t.unreached_func('an aborted request must not be granted'));
  assert_equals(await stateOf(waits), 'pending');
  controller.abort();
  await promise_rejects_dom(t, 'AbortError', waits);
  assert_array_equals((await stateOfName(name)).pending, []);
  held.release();
  await held.done;
  await parallelStepsDone();
}, 'an abort takes the request out of the queue and rejects its promise');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  for (const reason of ['mine', new Error('mine'), undefined]) {
    const controller = new AbortController();
    const waits = navigator.locks.acquire(name, {signal: controller.signal}, t.unreached_func());
    controller.abort(reason);
    const error = await waits.then(() => null, e => e);
    assert_true(error instanceof DOMException);
    assert_equals(error.name, 'AbortError');
    assert_not_equals(error, controller.signal.reason, 'a new one');
  }
  held.release();
}, 'the promise is rejected with a new AbortError, whatever the reason');

promise_test(async t => {
  const name = newName();
  await promise_rejects_dom(t, 'AbortError',
      navigator.locks.acquire(name, {signal: AbortSignal.abort()},
          t.unreached_func('it was aborted before')));
  assert_object_equals(await stateOfName(name), {held: [], pending: []});
}, 'a signal that is aborted from the start aborts the request');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  const held = await hold(a);
  const controller = new AbortController();
  const waits = navigator.locks.acquire([a, b], {signal: controller.signal}, t.unreached_func());
  const aborted = promise_rejects_dom(t, 'AbortError', waits);
  const behind = navigator.locks.acquire(b, () => 'granted');
  assert_equals(await stateOf(behind), 'pending');
  controller.abort();
  assert_equals(await behind, 'granted', 'while the first name is held');
  await aborted;
  held.release();
}, 'requests behind an aborted one are granted as soon as nothing else is in their way');

promise_test(async t => {
  const controller = new AbortController();
  const p = navigator.locks.acquire(newName(), {signal: controller.signal}, async () => {
    controller.abort();
    await parallelStepsDone();
    return 'done';
  });
  assert_equals(await p, 'done');
}, 'an abort after the grant is ignored');

promise_test(async t => {
  const name = newName();
  const controller = new AbortController();
  const p = navigator.locks.acquire(name, {signal: controller.signal}, () => 'granted');
  controller.abort(); // it was grantable before that
  assert_equals(await p, 'granted');
}, 'of an abort and a grant the one counts whose condition came true first');

promise_test(async t => {
  const name = newName();
  const controller = new AbortController();
  assert_equals(await navigator.locks.acquire(name, {signal: controller.signal}, () => 'one'), 'one');
  controller.abort();
  await parallelStepsDone();
  assert_equals(await navigator.locks.acquire(name, () => 'two'), 'two');
}, 'a signal may be aborted when all is over');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  await promise_rejects_dom(t, 'AbortError',
      navigator.locks.acquire(name, {signal: AbortSignal.timeout(5)}, t.unreached_func()));
  held.release();
}, 'a signal of a timeout aborts with an AbortError, too');

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  const controller = new AbortController();
  const {signal} = controller;
  const requests = [1, 2, 3].map(() => navigator.locks.acquire(name, {signal}, t.unreached_func()));
  const events = [];
  requests.forEach((p, i) => p.catch(() => events.push(i)));
  signal.addEventListener('abort', () => events.push('event'));
  controller.abort();
  assert_array_equals(events, ['event'], 'requests are aborted in parallel');
  await Promise.allSettled(requests);
  await parallelStepsDone();
  assert_array_equals(events, ['event', 0, 1, 2]);
  held.release();
}, 'one signal aborts several requests, in their order');
