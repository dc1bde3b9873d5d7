// A lock that readers share: "mode option to request()" of the explainer, and section 3.2.1 of the Working
// Draft. The other reader is ours.
navigator.locks.request('resource', {mode: 'shared'}, () => new Promise(r => setTimeout(r, 10)));

(async () => {
  await navigator.locks.request('resource', {mode: 'shared'}, async lock => {
    // Use |lock| here.
    const {held} = await navigator.locks.query();
    console.log(`${held.length} hold '${lock.name}', ${lock.mode}`);
  });
})();
