// As victim.mjs, but it notices that its lock was stolen, by the rejection of its request, and stops.
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
