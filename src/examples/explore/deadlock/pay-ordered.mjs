// Like pay.mjs, but it takes the locks in the order of their names, as save-ordered.mjs does.
await navigator.locks.request('giro', async () => {
  await navigator.locks.request('savings', () => {});
});
