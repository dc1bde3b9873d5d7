// A free lock, requested and released again and again.
export async function round(bench, size) {
  const start = bench.now();
  for (let i = 0; i < size; i++) {
    await navigator.locks.request('sequential', () => {});
  }
  return {operations: size, ms: bench.now() - start};
}
