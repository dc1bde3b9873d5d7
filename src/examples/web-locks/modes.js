// Readers and a writer: "API Proposal" of the explainer. The durations are ours.
const takes = (what, ms) => new Promise(done => {
  console.log(`${what} begins`);
  setTimeout(() => { console.log(`${what} ends`); done(); }, ms);
});
let written = 0;
let read = 0;
const async_write_func = () => takes(`write ${++written}`, 10);
const async_read_func = () => takes(`read ${++read}`, 10);

async function get_lock_then_write() {
  await navigator.locks.request('resource', async lock => {
    await async_write_func();
  });
}

async function get_lock_then_read() {
  await navigator.locks.request('resource', {mode: 'shared'}, async lock => {
    await async_read_func();
  });
}

get_lock_then_read();
get_lock_then_read();
get_lock_then_write();
get_lock_then_read(); // waits for the write requested before it, although others read
