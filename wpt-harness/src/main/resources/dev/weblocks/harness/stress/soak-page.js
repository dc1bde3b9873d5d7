// A page of a soak run: repeats random actions until it is closed or navigates away. The query is
// its seed. Each finished action logs "."; an unexpected failure logs "failed ...".
let state = Number(location.search.slice(1)) | 0;
const random = n => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
};
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const name = () => 'lock-' + random(8);
const hold = () => sleep(random(5));
const onceMessage = (target, within) =>
  Promise.race([new Promise(resolve => { target.onmessage = e => resolve(e.data); }), sleep(within)]);

const actions = {
  exclusive: () => navigator.locks.request(name(), hold),
  shared: () => navigator.locks.request(name(), { mode: 'shared' }, hold),
  ifAvailable: () => navigator.locks.request(name(), { ifAvailable: true }, hold),
  steal: () => navigator.locks.request(name(), { steal: true }, hold),
  abort: () => navigator.locks.request(name(), { signal: AbortSignal.timeout(1 + random(5)) }, hold),
  query: () => navigator.locks.query(),
  async worker() {
    const worker = new Worker('/worker.js?' + random(1e9));
    await onceMessage(worker, 2000);
    if (random(2)) worker.postMessage('stop');
    worker.terminate();
  },
  async port() {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker('/worker.js?port');
    worker.postMessage({ port: port2, bytes: new Uint8Array(1 + random(10000)) }, [port2]);
    await onceMessage(port1, 2000);
    port1.close();
    worker.terminate();
  },
  async frame() {
    const frame = document.createElement('iframe');
    if (random(2)) frame.src = (random(2) ? 'https://other.test' : '') + '/frame?' + random(1e9);
    document.body.append(frame);
    await Promise.race([new Promise(resolve => { frame.onload = resolve; }), sleep(2000)]);
    frame.remove();
  },
  async channel() {
    const channel = new BroadcastChannel('soak');
    channel.postMessage(structuredClone({ list: Array.from({ length: random(100) }, String) }));
    await sleep(1);
    channel.close();
  },
  async memory() {
    const kept = [];
    for (let i = 0; i < 32; i++) kept.push(new Uint8Array(1 << 19).fill(i));
    await sleep(1);
  },
  storage() {
    localStorage.setItem('item-' + random(20), 'x'.repeat(random(1000)));
    localStorage.removeItem('item-' + random(20));
  },
  async fetch() { await (await fetch('/text')).text(); },
  timers: () => Promise.all([1, 2, 3].map(sleep)),
};
const names = Object.keys(actions);

(async () => {
  for (;;) {
    const action = names[random(names.length)];
    try {
      await actions[action]();
    } catch (e) {
      // stolen, aborted or timed out, as intended
      if (e.name !== 'AbortError' && e.name !== 'TimeoutError') console.log('failed ' + action + ': ' + e);
    }
    console.log('.');
    if (random(100) === 0) {
      location.href = '/page?' + random(1e9);
      return;
    }
    await null;
  }
})();
