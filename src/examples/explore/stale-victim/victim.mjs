// Writes at the end of its critical section. A steal takes the lock away and leaves the callback
// running: this one goes on as if nothing had happened, into the critical section of the thief.
const pause = () => new Promise(resolve => setTimeout(resolve));

const saved = navigator.locks.request('document', async () => {
  await pause();
  localStorage.setItem('text', 'by the victim');
});
await saved.catch(error => {
  if (error.name !== 'AbortError') throw error;
});
