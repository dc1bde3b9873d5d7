// The result of query(): "Management / Debugging" of the explainer, and section 3.2.2 of the Working Draft,
// with the same locks and requests. Three clients make them: this page and two workers.
const clients = [];
const hold = (name, mode) => new Promise(held => {
  navigator.locks.request(name, {mode}, () => new Promise(release => { held(() => release()); }));
});
const told = worker => new Promise(resolve => { worker.onmessage = resolve; });

(async () => {
  const releases = [await hold('resource1', 'exclusive'), await hold('resource2', 'shared')];
  const second = new Worker('query-worker.js?second');
  await told(second);
  const third = new Worker('query-worker.js?third');
  await told(third);

  const state = await navigator.locks.query();

  // ids of clients are long; they are numbered here
  const number = id => (clients.includes(id) || clients.push(id), clients.indexOf(id) + 1);
  const show = ({name, mode, clientId}) => console.log(`  ${name} ${mode}, client ${number(clientId)}`);
  console.log('held');
  state.held.forEach(show);
  console.log('pending');
  state.pending.forEach(show);
  second.terminate();
  third.terminate();
  releases.forEach(release => release());
})();
