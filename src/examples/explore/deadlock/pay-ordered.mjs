// As pay.mjs, but all who need several locks take them in the order of their names.
await navigator.locks.request('giro', async () => {
  await navigator.locks.request('savings', () => {});
});
