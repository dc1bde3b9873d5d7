// concurrent-one-name with synchronous callbacks: Node releases each lock before the next request.
export async function round(bench, size) {
  const start = bench.now();
  const requests = [];
  for (let i = 0; i < size; i++) {
    requests.push(navigator.locks.request('concurrent', () => {}));
  }
  await Promise.all(requests);
  return {operations: size, ms: bench.now() - start};
}
