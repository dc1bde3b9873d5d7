// Program 2, likewise. The order of the names does not matter.
navigator.locks.acquire(['B', 'A'], async lock => {
  // do stuff with A and B
  console.log('does stuff with', lock.scope);
});
