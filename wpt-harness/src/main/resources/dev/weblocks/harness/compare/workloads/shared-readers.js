// Many readers hold one lock together: none releases it before all have it.
export async function round(bench, size) {
  const start = bench.now();
  const all = Promise.withResolvers();
  const requests = [];
  let granted = 0;
  for (let i = 0; i < size; i++) {
    requests.push(
      navigator.locks.request('readers', {mode: 'shared'}, () => {
        if (++granted === size) all.resolve();
        return all.promise;
      }),
    );
  }
  await Promise.all(requests);
  return {operations: size, ms: bench.now() - start};
}
