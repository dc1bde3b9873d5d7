// Program 1 of "Deadlocks" in the explainer, with a request of the early draft, for both names at once.
navigator.locks.acquire(['A', 'B'], async lock => {
  // do stuff with A and B
  console.log('does stuff with', lock.scope);
});
