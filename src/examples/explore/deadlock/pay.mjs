// Takes the lock of the account that pays first, then that of the other; save.mjs takes them in the
// opposite order. If each script holds its first lock, both wait forever.
await navigator.locks.request('giro', async () => {
  await navigator.locks.request('savings', () => {});
});
