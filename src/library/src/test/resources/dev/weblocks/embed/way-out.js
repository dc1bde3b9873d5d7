// Overflows the stack in many places, and looks for objects of Java among what it catches. Under
// HostAccess.ALL one such object gives access to the whole process.
(function (rounds, memberCount) {
  const members = [
    () => localStorage.setItem('a', 'b'),
    () => crypto.getRandomValues(new Uint8Array(3)),
    () => performance.now(),
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
  let overflows = 0;
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
          overflows++;
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
    for (member of members.slice(0, memberCount)) {
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
          const mayBe = typeof value === 'object' || typeof value === 'function';
          if (mayBe && value !== null && typeof value.getClass === 'function') {
            return `${value} by ${member}`;
          }
        }
      }
    }
  }
  return overflows === 0 ? 'no member was called where the stack ends' : 'none';
})
