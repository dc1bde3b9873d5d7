// Common functions of the tests of the early draft.
'use strict';

let namesMade = 0;

// A name that no other test of this global uses.
function newName() {
  return `${location.pathname} ${String(++namesMade).padStart(3, '0')}`; // in order, when sorted
}

// Acquires a lock. Resolves at the grant with the lock, the function that releases it, and the promise of acquire().
function hold(scope, options = {}) {
  return new Promise((resolve, reject) => {
    const done = navigator.locks.acquire(
        scope, options, lock => new Promise(release => { resolve({lock, release, done}); }));
    done.catch(reject); // the promise may have no other handler
  });
}

// Resolves when all parallel steps that were enqueued before are done, since these keep their order.
async function parallelStepsDone() {
  await navigator.locks.queryState();
}

// Returns the state of a promise after the parallel steps.
async function stateOf(promise) {
  let state = 'pending';
  promise.then(() => { state = 'fulfilled'; }, () => { state = 'rejected'; });
  await parallelStepsDone();
  await parallelStepsDone();
  return state;
}

// Returns the locks and requests of queryState() with this name in their scope, as short texts.
async function stateOfName(name) {
  const {held, pending} = await navigator.locks.queryState();
  const show = entries => entries.filter(e => e.scope.includes(name)).map(e => `${e.scope.length} ${e.mode}`);
  return {held: show(held), pending: show(pending)};
}
