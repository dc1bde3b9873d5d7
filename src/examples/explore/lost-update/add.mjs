// Two tabs add one to a number: run it with --agents 2. The tab that finishes last checks that no update
// was lost. One is lost if both tabs read before one of them writes.
const tabs = 2;
const pause = () => new Promise(resolve => setTimeout(resolve));

const count = Number(localStorage.getItem('count'));
await pause(); // like any work that takes a while
localStorage.setItem('count', count + 1);

const done = Number(localStorage.getItem('done')) + 1;
localStorage.setItem('done', done);
const sum = Number(localStorage.getItem('count'));
if (done === tabs && sum !== tabs) {
  throw new Error(`lost update: ${tabs} tabs have added 1, and there are ${sum}`);
}
