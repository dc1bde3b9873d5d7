// Many locks, each with its own name, all held at the same time.
export async function round(bench, size) {
  const start = bench.now();
  const all = Promise.withResolvers();
  const requests = [];
  let granted = 0;
  for (let i = 0; i < size; i++) {
    requests.push(
      navigator.locks.request(`distinct-${i}`, () => {
        if (++granted === size) all.resolve();
        return all.promise;
      }),
    );
  }
  await Promise.all(requests);
  return {operations: size, ms: bench.now() - start};
}
