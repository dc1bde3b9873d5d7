// Takes the lock of the account that pays first, then that of the other: as save.mjs does, the other
// way round. If each of the two has its first lock, both wait for ever.
await navigator.locks.request('giro', async () => {
  await navigator.locks.request('savings', () => {});
});
