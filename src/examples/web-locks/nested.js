// Nested requests for the same resource deadlock: the last question of the explainer's FAQ.
await navigator.locks.request('mylock', async lock => {
  await navigator.locks.request('mylock', async lock => {});
});
