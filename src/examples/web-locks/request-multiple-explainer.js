// Several locks in a strict order: "Deadlocks" of the explainer. The requests are ours.
async function requestMultiple(resources, callback) {
  const sortedResources = Array.from(resources);
  sortedResources.sort(); // always request in the same order

  async function requestNext() {
    return await navigator.locks.request(sortedResources.shift(), async lock => {
      if (sortedResources.length > 0) {
        return await requestNext();
      } else {
        return await callback();
      }
    });
  }
  return await requestNext();
}

async function use(...resources) {
  const result = await requestMultiple(resources, async () => {
    const {held} = await navigator.locks.query();
    console.log(`${resources.join()}: holds ${held.map(l => l.name).join()}`);
    await new Promise(r => setTimeout(r, 10));
    return 'done';
  });
  console.log(`${resources.join()}: ${result}`);
}

use('A', 'B');
use('B', 'A');
use('C', 'B', 'A');
