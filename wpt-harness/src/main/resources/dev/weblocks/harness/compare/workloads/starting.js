// Agents that start, take a lock once, and end. Several start at the same time.
const AT_ONCE = 4;

/** In the agent: takes the lock once. */
export const take = () => navigator.locks.request('start', () => {});

export async function start(bench, size, spawn) {
  const begin = bench.now();
  let started = 0;
  const row = async () => {
    while (started < size) {
      started++;
      const agent = await spawn();
      await agent.call('take');
      await agent.terminate();
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, row));
  return {operations: size, ms: bench.now() - begin};
}
