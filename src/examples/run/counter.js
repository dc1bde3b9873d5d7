// Several tabs add to one number. Without the lock, some of the additions would be lost.
for (let i = 0; i < 100; i++) {
  await navigator.locks.request('counter', async () => {
    const count = Number(localStorage.getItem('count'));
    await new Promise(resolve => setTimeout(resolve)); // other tabs run
    localStorage.setItem('count', count + 1);
  });
}
await navigator.locks.request('counter', {mode: 'shared'}, () => {
  console.log('added 100, there are', localStorage.getItem('count'));
});
