// What the tests of the early draft share.
'use strict';

let namesMade = 0;

// A name that no other test of this global uses.
function newName() {
  return `${location.pathname} ${String(++namesMade).padStart(3, '0')}`; // in order, when sorted
}

// Holds a lock. Resolves, once that is so, with the lock, what releases it, and what acquire() returned.
function hold(scope, options = {}) {
  return new Promise((resolve, reject) => {
    const done = navigator.locks.acquire(
        scope, options, lock => new Promise(release => { resolve({lock, release, done}); }));
    done.catch(reject); // nobody else may care
  });
}

// Resolves when all that locks have begun to do in parallel so far is done: such steps keep their order.
async function parallelStepsDone() {
  await navigator.locks.queryState();
}

// What a promise has come to by then.
async function stateOf(promise) {
  let state = 'pending';
  promise.then(() => { state = 'fulfilled'; }, () => { state = 'rejected'; });
  await parallelStepsDone();
  await parallelStepsDone();
  return state;
}

// The locks and requests that queryState() tells of with this name in their scope, as short texts.
async function stateOfName(name) {
  const {held, pending} = await navigator.locks.queryState();
  const show = entries => entries.filter(e => e.scope.includes(name)).map(e => `${e.scope.length} ${e.mode}`);
  return {held: show(held), pending: show(pending)};
}
