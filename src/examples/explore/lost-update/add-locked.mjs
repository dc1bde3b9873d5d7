// Like add.mjs, but no other tab reads between a read and its write.
const tabs = 2;
const pause = () => new Promise(resolve => setTimeout(resolve));

await navigator.locks.request('count', async () => {
  const count = Number(localStorage.getItem('count'));
  await pause();
  localStorage.setItem('count', count + 1);
});

const done = Number(localStorage.getItem('done')) + 1;
localStorage.setItem('done', done);
const sum = Number(localStorage.getItem('count'));
if (done === tabs && sum !== tabs) {
  throw new Error(`lost update: ${tabs} tabs have added 1, and there are ${sum}`);
}
