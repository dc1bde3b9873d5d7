// Takes the two locks of pay.mjs in the opposite order.
await navigator.locks.request('savings', async () => {
  await navigator.locks.request('giro', () => {});
});
