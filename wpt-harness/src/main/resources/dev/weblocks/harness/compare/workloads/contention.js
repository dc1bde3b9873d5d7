// Agents that hand one lock to each other: each queues its next request before it releases the lock.
const NAME = 'contention';

let taken = 0;

/** In each agent: takes the lock `count` times. */
export function contend(count) {
  return new Promise((resolve, reject) => {
    const next = (left) =>
      navigator.locks
        .request(NAME, () => {
          taken++;
          if (left > 1) next(left - 1);
        })
        .then(() => left === 1 && resolve(), reject);
    taken = 0;
    next(count);
  });
}

/** In each agent: returns how often it got the lock. Called after the agent has requested it. */
export const progress = () => taken;

let agents = [];

/** Runs `size` hand-overs between `count` agents, which are started before the first round. */
export async function contest(bench, size, count) {
  while (agents.length < count) agents.push(await bench.spawnWorker());
  const each = Math.ceil(size / count);
  const {done, start} = await navigator.locks.request(NAME, async () => {
    // The lock is held until all agents have requested it.
    const done = agents.map((agent) => agent.call('contend', each));
    const before = await Promise.all(agents.map((agent) => agent.call('progress')));
    if (before.some((times) => times > 0)) {
      throw new Error('a lock was granted that another agent holds');
    }
    return {done, start: bench.now()};
  });
  await Promise.all(done);
  return {operations: each * count, ms: bench.now() - start};
}

export async function done() {
  await Promise.all(agents.map((agent) => agent.terminate()));
  agents = [];
}
