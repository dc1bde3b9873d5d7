// Like victim.mjs, but it detects by the rejection of its request that its lock was stolen, and stops.
const pause = () => new Promise(resolve => setTimeout(resolve));

let lost = false;
const saved = navigator.locks.request('document', async () => {
  await pause();
  if (!lost) localStorage.setItem('text', 'by the victim');
});
await saved.catch(error => {
  if (error.name !== 'AbortError') throw error;
  lost = true;
});
