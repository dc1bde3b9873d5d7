// Like deposit.mjs, but no other script reads between the read and the write.
await navigator.locks.request('balance', async () => {
  const before = balance();
  await new Promise(resolve => setTimeout(resolve));
  setBalance(before + 10);
});
