// META: title=Lock of the early draft
// META: global=window,dedicatedworker,sharedworker,serviceworker
// META: script=resources/helpers.js
'use strict';

promise_test(async t => {
  const scope = ['b', 'a', '', 'B', '\u{1F600}', '\uE000', 'aa'];
  await navigator.locks.acquire(scope, lock => {
    assert_array_equals(lock.scope, ['', 'B', 'a', 'aa', 'b', '\u{1F600}', '\uE000']);
    assert_array_equals(lock.scope, [...scope].sort());
  });
}, 'scope is sorted in lexicographic order');

promise_test(async t => {
  await navigator.locks.acquire(['a', 'b'], lock => {
    assert_true(Array.isArray(lock.scope));
    assert_true(Object.isFrozen(lock.scope));
    assert_equals(lock.scope, lock.scope);
    assert_throws_js(TypeError, () => { lock.scope.push('c'); });
  });
}, 'scope is a frozen array, the same one each time');

promise_test(async t => {
  for (const mode of ['exclusive', 'shared']) {
    await navigator.locks.acquire('a', {mode}, lock => assert_equals(lock.mode, mode));
  }
}, 'mode is that of the request');

promise_test(async t => {
  let kept;
  await navigator.locks.acquire(['b', 'a'], lock => { kept = lock; });
  assert_array_equals(kept.scope, ['a', 'b']);
  assert_equals(kept.mode, 'exclusive');
  assert_throws_js(TypeError, () => { kept.scope = 1; });
  assert_array_equals(kept.scope, ['a', 'b']);
}, 'a Lock tells the same when it is released');
