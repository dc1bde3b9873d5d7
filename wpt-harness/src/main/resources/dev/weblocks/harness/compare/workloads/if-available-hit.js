// Requests with ifAvailable for a free lock.
export async function round(bench, size) {
  const start = bench.now();
  for (let i = 0; i < size; i++) {
    await navigator.locks.request('hit', {ifAvailable: true}, (lock) => {
      if (lock === null) throw new Error('a free lock was not available');
    });
  }
  return {operations: size, ms: bench.now() - start};
}
