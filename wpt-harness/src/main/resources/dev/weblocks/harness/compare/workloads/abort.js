// Requests that wait in a queue, each with its own signal, and are aborted there.
export async function round(bench, size) {
  return navigator.locks.request('abort', async () => {
    const start = bench.now();
    const controllers = [];
    const requests = [];
    let aborted = 0;
    for (let i = 0; i < size; i++) {
      const controller = new AbortController();
      controllers.push(controller);
      requests.push(
        navigator.locks
          .request('abort', {signal: controller.signal}, () => {})
          .catch(() => aborted++),
      );
    }
    await navigator.locks.query(); // all are in the queue by now
    for (const controller of controllers) controller.abort();
    await Promise.all(requests);
    if (aborted !== size) throw new Error(`${aborted} of ${size} were aborted`);
    return {operations: size, ms: bench.now() - start};
  });
}
