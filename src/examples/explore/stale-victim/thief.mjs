// Steals the lock, writes, and checks before the end of its critical section that no other script did.
const pause = () => new Promise(resolve => setTimeout(resolve));

await navigator.locks.request('document', {steal: true}, async () => {
  localStorage.setItem('owner', 'the thief');
  localStorage.setItem('text', 'by the thief');
  await pause();
  const text = localStorage.getItem('text');
  if (text !== 'by the thief') throw new Error(`the thief has the lock, and the text is ${text}`);
});
