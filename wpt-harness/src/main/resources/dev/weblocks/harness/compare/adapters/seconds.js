// Requests one lock after the other, and prints each second how many those were. Never ends.
// A classic script, since one use evaluates it in a context without modules.
(async () => {
  const LOCKS = 20;
  for (;;) {
    const start = Date.now();
    let count = 0;
    let passed = 0;
    while (passed < 1000) {
      for (let i = 0; i < LOCKS; i++) {
        await navigator.locks.request('seconds', async () => {});
      }
      count += LOCKS;
      passed = Date.now() - start;
    }
    console.log(`${count * 1000 / passed} locks/s`);
  }
})();
