// Calls from one agent to another, over any channel for messages.

/** An agent, as seen by the agent that started it. */
export class Agent {
  #post;
  #end;
  #calls = new Map();
  #next = 1;

  /** Sends messages by `post`; `end` kills the agent, wherever its script is. */
  constructor(post, end) {
    this.#post = post;
    this.#end = end;
  }

  /** Calls a function in the agent that its workload exports. */
  call(name, ...values) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#calls.set(id, {resolve, reject});
      this.#post({id, name, values});
    });
  }

  /** Handles an answer. */
  answered({id, value, error}) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call.resolve(value);
    else call.reject(new Error(error));
  }

  /** Rejects all pending calls. */
  failed(error) {
    for (const {reject} of this.#calls.values()) reject(error);
    this.#calls.clear();
  }

  terminate() {
    return this.#end();
  }
}

/** Returns a function for the agent's side, which handles a call and posts its answer. */
export function answering(workload, post) {
  const loaded = import(new URL(`../workloads/${workload}.js`, import.meta.url).href);
  return async ({id, name, values}) => {
    try {
      post({id, value: await (await loaded)[name](...values)});
    } catch (error) {
      post({id, error: String(error)});
    }
  };
}

/** Carries out a command of the driver, {id, workload, call, size}, and returns its answer. */
export async function obey(command, bench) {
  try {
    const workload = await import(
      new URL(`../workloads/${command.workload}.js`, import.meta.url).href
    );
    if (command.call === 'done' && !workload.done) return {id: command.id, value: null};
    const value = await workload[command.call](bench(command.workload), command.size);
    return {id: command.id, value: value ?? null};
  } catch (error) {
    return {id: command.id, error: String(error)};
  }
}
