// Requests that queue up behind a holder, and are all granted when it releases the lock.
export async function round(bench, size) {
  const start = bench.now();
  let granted = 0;
  const last = Promise.withResolvers();
  await navigator.locks.request('growth', async () => {
    for (let i = 0; i < size; i++) {
      navigator.locks
        .request('growth', () => {
          granted++;
        })
        .then(() => granted === size && last.resolve(), last.reject);
    }
    await navigator.locks.request('growth', {ifAvailable: true}, () => {}); // all are in the queue
  });
  await last.promise;
  return {operations: size, ms: bench.now() - start};
}
