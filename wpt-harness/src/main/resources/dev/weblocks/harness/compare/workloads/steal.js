// A chain of steals: each request steals the lock from the previous one, which rejects.
export async function round(bench, size) {
  const start = bench.now();
  const requests = [];
  let stolen = 0;
  const end = Promise.withResolvers();
  for (let i = 0; i < size; i++) {
    await new Promise((granted) => {
      requests.push(
        navigator.locks
          .request('steal', {steal: true}, () => {
            granted();
            return end.promise;
          })
          .catch(() => stolen++),
      );
    });
  }
  end.resolve();
  await Promise.all(requests);
  if (stolen !== size - 1) throw new Error(`${stolen} of ${size} were stolen`);
  return {operations: size, ms: bench.now() - start};
}
