// Program 1 of "Deadlocks" in the explainer, and of section 5.1 of the Working Draft.
navigator.locks.request('A', async a => {
  await navigator.locks.request('B', async b => {
    // do stuff with A and B
    console.log('does stuff with A and B');
  });
});
