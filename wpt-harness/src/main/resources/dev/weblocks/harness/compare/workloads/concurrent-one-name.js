// Many requests for one exclusive lock at once: all but the first wait in the queue. The callbacks are
// asynchronous functions, as in most programs, so each lock is held for some turns.
export async function round(bench, size) {
  const start = bench.now();
  const requests = [];
  for (let i = 0; i < size; i++) {
    requests.push(navigator.locks.request('concurrent', async () => {}));
  }
  await Promise.all(requests);
  return {operations: size, ms: bench.now() - start};
}
