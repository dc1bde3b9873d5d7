// A lock granted at once or not at all: "ifAvailable option to request()" of the explainer, and section 3.2.1
// of the Working Draft. The first holder of the lock is ours.
async function use() {
  await navigator.locks.request('resource', {ifAvailable: true}, async lock => {
    if (!lock) {
      // Didn't get it. Maybe take appropriate action.
      console.log('did not get it');
      return;
    }
    // Use |lock| here.
    console.log('got it:', lock.name, lock.mode);
  });
}

(async () => {
  await navigator.locks.request('resource', async () => {
    await use();
  });
  await use();
})();
