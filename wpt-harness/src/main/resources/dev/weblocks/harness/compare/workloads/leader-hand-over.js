// Measures the time from the end of an agent that holds a lock to the grant to the next in the queue.

/** In the agent: takes the lock and never releases it. */
export function lead() {
  return new Promise((granted, failed) => {
    navigator.locks
      .request('leader', () => {
        granted();
        return new Promise(() => {});
      })
      .catch(failed);
  });
}

/** Maximum wait: some engines grant the lock only when another lock is requested. */
const PATIENCE_MS = 3000;

export async function round(bench, size) {
  let ms = 0;
  for (let i = 0; i < size; i++) {
    const leader = await bench.spawnWorker();
    await leader.call('lead');
    await navigator.locks.request('leader', {ifAvailable: true}, (lock) => {
      if (lock !== null) throw new Error('a lock was granted that another agent holds');
    });
    const next = navigator.locks.request('leader', () => bench.now());
    const start = bench.now();
    leader.terminate();
    const never = Promise.withResolvers();
    const timer = setTimeout(() => never.resolve(undefined), PATIENCE_MS);
    const granted = await Promise.race([next, never.promise]);
    clearTimeout(timer);
    if (granted === undefined) {
      throw new Error(`the next request in the queue was not granted within ${PATIENCE_MS / 1000} s`);
    }
    ms += granted - start;
  }
  return {operations: size, ms};
}
