// A request that waits for a limited time: "signal option to request()" of the explainer, and
// section 3.2.1 of the Working Draft. The requests that hold the lock are ours.
async function use() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 200); // wait at most 200ms

  try {
    await navigator.locks.request('resource', {signal: controller.signal}, async lock => {
      // Use |lock| here.
      console.log('got the lock');
    });
    // Done with lock here.
    console.log('done with the lock');
  } catch (ex) {
    // |ex| will be a DOMException with error name "AbortError" if timer fired.
    console.log(ex.name, ex instanceof DOMException);
  }
}

const hold = ms => navigator.locks.request('resource', () => new Promise(r => setTimeout(r, ms)));

(async () => {
  console.log('held for 100 ms:');
  hold(100);
  await use();
  console.log('held for 300 ms:');
  hold(300);
  await use();
})();
