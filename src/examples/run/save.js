// The same two locks, in the other order: beside pay.js it may wait for ever.
await navigator.locks.request('savings', async () => {
  await navigator.locks.request('giro', () => console.log('saved'));
});
