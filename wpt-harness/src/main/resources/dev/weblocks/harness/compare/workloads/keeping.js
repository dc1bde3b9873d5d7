// Agents that each hold a lock, and stay alive.
const agents = [];

/** In the agent: takes a lock and never releases it. */
export function keep(number) {
  return new Promise((granted, failed) => {
    navigator.locks
      .request(`keep-${number}`, () => {
        granted();
        return new Promise(() => {});
      })
      .catch(failed);
  });
}

/** Starts agents until there are `size`. */
export async function grow(size, spawn) {
  while (agents.length < size) {
    const agent = await spawn();
    agents.push(agent);
    await agent.call('keep', agents.length);
  }
}
