// The same two locks, in the other order: together with pay.js it may wait forever.
await navigator.locks.request('savings', async () => {
  await navigator.locks.request('giro', () => console.log('saved'));
});
