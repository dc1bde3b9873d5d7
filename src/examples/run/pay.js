// Takes the lock of the account that pays first, then that of the other.
await navigator.locks.request('giro', async () => {
  await navigator.locks.request('savings', () => console.log('paid'));
});
