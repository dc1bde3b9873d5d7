// One agent of the kill run, a window or a worker. It contends for locks, and reports to the console
// what it holds, so that the host can check it. Its parameters are in the query of its URL:
// id, kind, seed, rounds, number of names, and whether it may block its thread for ever.
'use strict';
(() => {
  const [id, kind, seed, rounds, names, endless] = location.search.slice(1).split(',')
    .map(part => (/^\d+$/.test(part) ? Number(part) : part));
  let state = seed | 0;
  const random = limit => {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    return (state >>> 8) % limit;
  };
  const say = (what, name = '', mode = '') => console.log(`${what} ${id} ${name} ${mode}`);
  const forever = new Promise(() => {});
  let introduced = false;

  // The last action of each kind, in the callback of the lock that it holds.
  const ends = {
    idle: () => forever,
    spins: () => {
      say('doomed');
      while (true) {}
    },
    chatters: lock => {
      say('doomed');
      while (true) say('beat', lock.name);
    },
    microtasks: lock => {
      say('doomed');
      (function again() {
        say('beat', lock.name);
        Promise.resolve().then(again);
      })();
      return forever;
    },
    timers: lock => {
      setInterval(() => say('beat', lock.name), 1);
      return forever;
    },
    nests: lock => {
      // upward only, so that no circle of waiting agents arises
      const next = Number(lock.name.slice(1)) + 1;
      if (next < names) navigator.locks.request(`n${next}`, inner => hold(inner, ends.idle));
      return forever;
    },
    closes: () => {
      self.close();
      return forever;
    },
    imports: () => {
      say('pauses');
      try {
        importScripts('/never.js');
      } finally {
        say('unpaused');
      }
    },
  };

  async function hold(lock, end) {
    const mode = lock.mode === 'exclusive' ? 'x' : 's';
    say('in', lock.name, mode);
    if (mode === 'x' && !introduced) {
      introduced = true;
      // this agent is the only holder of this name while the callback holds it
      const {held} = await navigator.locks.query();
      say('client', held.find(({name}) => name === lock.name).clientId);
    }
    for (let i = random(4); i > 0; i--) {
      await null;
      say('beat', lock.name);
    }
    if (end) await end(lock);
    say('out', lock.name, mode);
  }

  async function round(end) {
    const options = {mode: random(3) ? 'exclusive' : 'shared'};
    let abort;
    if (!end) {
      switch (random(8)) {
        case 0:
          options.ifAvailable = true;
          break;
        case 1:
          abort = new AbortController();
          options.signal = abort.signal;
          break;
      }
    }
    const result = navigator.locks.request(
      `n${random(names)}`, options, lock => (lock ? hold(lock, end) : undefined));
    if (abort) {
      for (let i = random(3); i > 0; i--) await null;
      abort.abort();
    }
    await result.catch(() => {});
  }

  function startWorker(kinds) {
    if (endless) kinds.push('spins', 'chatters', 'imports');
    const query = [id + 1, kinds[random(kinds.length)], random(1 << 20), random(4), names, endless];
    return new Worker(`/contender.js?${query}`);
  }

  async function main() {
    switch (kind) {
      case 'owns':
        startWorker(['contends', 'idle', 'closes']);
        break;
      case 'terminates': {
        const worker = startWorker(['contends', 'idle', 'closes', 'timers']);
        for (let i = 1 + random(12); i > 0; i--) await round();
        worker.terminate();
        break;
      }
    }
    if (kind === 'contends' || kind === 'terminates' || kind === 'owns') {
      while (true) await round();
    }
    for (let i = rounds; i > 0; i--) await round();
    if (kind === 'survives') say('done');
    else await round(ends[kind]);
  }

  main();
})();
