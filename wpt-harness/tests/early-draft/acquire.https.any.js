// META: title=acquire() of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const name = newName();
  const held = await hold(name);
  assert_equals(held.lock.mode, 'exclusive');
  const other = navigator.locks.acquire(name, () => 'granted');
  assert_equals(await stateOf(other), 'pending', 'it waits, and no signal ends that');
  held.release();
  assert_equals(await other, 'granted');
}, 'without options a lock is exclusive and waited for');

promise_test(async t => {
  const name = newName();
  for (const options of [undefined, null, {}, {mode: undefined, ifAvailable: undefined, signal: undefined}]) {
    await navigator.locks.acquire(name, options, lock => assert_equals(lock.mode, 'exclusive'));
  }
}, 'options without members are like none');

promise_test(async t => {
  const name = newName();
  await navigator.locks.acquire(name, lock => assert_array_equals(lock.scope, [name]));
}, 'a string is a scope of that one name');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  await navigator.locks.acquire([b, a, b, a, a], lock => assert_array_equals(lock.scope, [a, b]));
}, 'a sequence is a scope of its unique names');

promise_test(async t => {
  const [a, b] = [newName(), newName()];
  await navigator.locks.acquire(new Set([a, b]), lock => assert_array_equals(lock.scope, [a, b]));
  await navigator.locks.acquire({ * [Symbol.iterator]() { yield a; yield b; yield a; } },
      lock => assert_array_equals(lock.scope, [a, b]));
}, 'whatever can be iterated is a sequence');

promise_test(async t => {
  await navigator.locks.acquire([1, null, {toString: () => 'x'}],
      lock => assert_array_equals(lock.scope, ['1', 'null', 'x']));
  await navigator.locks.acquire(undefined, lock => assert_array_equals(lock.scope, ['undefined']));
}, 'names are converted to strings');

promise_test(async t => {
  await navigator.locks.acquire('', lock => assert_array_equals(lock.scope, ['']));
  await navigator.locks.acquire([''], lock => assert_array_equals(lock.scope, ['']));
  await navigator.locks.acquire(['-', '\uD800', '\uDC00\uD800'],
      lock => assert_array_equals(lock.scope, ['-', '\uD800', '\uDC00\uD800']));
}, 'every string is a name');

promise_test(async t => {
  const called = t.unreached_func('the callback must not be called');
  await promise_rejects_js(t, TypeError, navigator.locks.acquire([], called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire([], {ifAvailable: true}, called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(new Set(), called));
}, 'an empty scope is a TypeError');

promise_test(async t => {
  const name = newName();
  const held = await hold(name, {mode: 'shared'});
  assert_equals(held.lock.mode, 'shared');
  const controller = new AbortController();
  const waits = navigator.locks.acquire(name, {mode: 'exclusive', signal: controller.signal}, t.unreached_func());
  let given;
  navigator.locks.acquire(name, {mode: 'shared', ifAvailable: true}, lock => { given = lock; });
  assert_equals(given, null, 'ifAvailable');
  controller.abort();
  await promise_rejects_dom(t, 'AbortError', waits, 'signal');
  held.release();
}, 'mode, ifAvailable and signal are those of the options');

promise_test(async t => {
  const name = newName();
  const called = t.unreached_func('the callback must not be called');
  await promise_rejects_js(t, TypeError, navigator.locks.acquire());
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name));
  for (const callback of [undefined, null, 1, '', {}, Promise.resolve()]) {
    await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, callback));
    await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, {}, callback));
  }
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, 'options', called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, {mode: 'foo'}, called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, {mode: null}, called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, {signal: null}, called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire(name, {signal: {}}, called));
  await promise_rejects_js(t, TypeError, navigator.locks.acquire([Symbol()], called));
  assert_equals((await stateOfName(name)).held.length, 0);
}, 'arguments of other types are a TypeError');

promise_test(async t => {
  const error = new Error('mine');
  await promise_rejects_exactly(t, error,
      navigator.locks.acquire({get [Symbol.iterator]() { throw error; }}, t.unreached_func()));
  await promise_rejects_exactly(t, error,
      navigator.locks.acquire('a', {get mode() { throw error; }}, t.unreached_func()));
}, 'what the conversion of arguments throws rejects the promise');

promise_test(async t => {
  const read = [];
  const options = new Proxy({}, {get(target, key) { read.push(key); }});
  await navigator.locks.acquire(newName(), options, () => {});
  assert_array_equals(read, ['ifAvailable', 'mode', 'signal']);
}, 'the options have three members, read in lexicographic order');

promise_test(async t => {
  const {acquire} = navigator.locks;
  await promise_rejects_js(t, TypeError, acquire('a', t.unreached_func()));
  await promise_rejects_js(t, TypeError, acquire.call({}, 'a', t.unreached_func()));
}, 'acquire() of something else than a LockManager rejects');
