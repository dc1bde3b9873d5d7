// Program 2 of "Deadlocks" in the explainer, and of section 5.1 of the Working Draft.
navigator.locks.request('B', async b => {
  await navigator.locks.request('A', async a => {
    // do stuff with A and B
    console.log('does stuff with A and B');
  });
});
