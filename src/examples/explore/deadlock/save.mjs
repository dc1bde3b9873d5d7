// The other half of pay.mjs.
await navigator.locks.request('savings', async () => {
  await navigator.locks.request('giro', () => {});
});
