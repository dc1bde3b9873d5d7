// Queries while many locks are held. The locks are taken before the first round.
const QUERIES = 10;
let held = 0;
let end = Promise.withResolvers();
let requests = [];

export async function round(bench, size) {
  if (held !== size) {
    await done();
    await new Promise((all, failed) => {
      for (let i = 0; i < size; i++) {
        const request = navigator.locks.request(`query-${i}`, () => {
          if (++held === size) all();
          return end.promise;
        });
        request.catch(failed);
        requests.push(request);
      }
    });
  }
  const start = bench.now();
  for (let i = 0; i < QUERIES; i++) {
    const found = (await navigator.locks.query()).held.length;
    if (found < size) throw new Error(`${found} of ${size} were found`);
  }
  return {operations: QUERIES, ms: bench.now() - start};
}

export async function done() {
  end.resolve();
  await Promise.all(requests);
  held = 0;
  requests = [];
  end = Promise.withResolvers();
}
