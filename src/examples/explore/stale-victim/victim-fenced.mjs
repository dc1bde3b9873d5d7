// As victim.mjs, but it looks right before it writes, in the same task, who has had the lock last:
// nothing can come between the two. Its rejection may still be on its way then.
const pause = () => new Promise(resolve => setTimeout(resolve));

const saved = navigator.locks.request('document', async () => {
  localStorage.setItem('owner', 'the victim');
  await pause();
  if (localStorage.getItem('owner') === 'the victim') {
    localStorage.setItem('text', 'by the victim');
  }
});
await saved.catch(error => {
  if (error.name !== 'AbortError') throw error;
});
