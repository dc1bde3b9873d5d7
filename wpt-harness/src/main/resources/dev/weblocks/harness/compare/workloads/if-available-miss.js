// Requests with ifAvailable for a held lock.
export async function round(bench, size) {
  return navigator.locks.request('miss', async () => {
    const start = bench.now();
    for (let i = 0; i < size; i++) {
      await navigator.locks.request('miss', {ifAvailable: true}, (lock) => {
        if (lock !== null) throw new Error('a held lock was available');
      });
    }
    return {operations: size, ms: bench.now() - start};
  });
}
