// Writes at the end of its critical section. A steal takes the lock away, but the callback keeps
// running: this one continues, and writes into the critical section of the thief.
const pause = () => new Promise(resolve => setTimeout(resolve));

const saved = navigator.locks.request('document', async () => {
  await pause();
  localStorage.setItem('text', 'by the victim');
});
await saved.catch(error => {
  if (error.name !== 'AbortError') throw error;
});
