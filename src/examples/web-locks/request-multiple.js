// Several locks in a strict order: the helper of section 5.1 of the Working Draft. The requests are ours.
async function requestMultiple(resources, callback) {
  const sortedResources = [...resources];
  sortedResources.sort(); // Always request in the same order.

  async function requestNext(locks) {
    return await navigator.locks.request(sortedResources.shift(), async lock => {
      // Now holding this lock, plus all previously requested locks.
      locks.push(lock);

      // Recursively request the next lock in order if needed.
      if (sortedResources.length > 0)
        return await requestNext(locks);

      // Otherwise, run the callback.
      return await callback(locks);

      // All locks will be released when the callback returns (or throws).
    });
  }
  return await requestNext([]);
}

async function use(...resources) {
  const result = await requestMultiple(resources, async locks => {
    console.log(`${resources.join()}: holds ${locks.map(l => l.name).join()}`);
    await new Promise(r => setTimeout(r, 10));
    return 'done';
  });
  console.log(`${resources.join()}: ${result}`);
}

use('A', 'B');
use('B', 'A');
use('C', 'B', 'A');
