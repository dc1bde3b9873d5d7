// Each operation and option of the early draft, which has no examples of its own.
(async () => {
  const {locks} = navigator;
  const show = async () => console.log(JSON.stringify(await locks.queryState()));

  const first = locks.acquire(['b', 'a'], {mode: 'shared'}, () => new Promise(() => {}));
  first.catch(e => console.log('first:', e.name));
  await show();

  console.log('before acquire()');
  locks.acquire('a', {ifAvailable: true}, lock => console.log('not available, told at once:', lock));
  console.log('after acquire()');

  const controller = new AbortController();
  const second = locks.acquire(['a', 'c'], {signal: controller.signal}, () => {});
  const third = locks.acquire('c', lock => `${lock.mode} lock on ${lock.scope}`);
  await show();
  controller.abort();
  await second.catch(e => console.log('second:', e.name));
  console.log('third:', await third);

  const waits = locks.acquire('a', () => 'granted');
  await locks.forceRelease(['a', 'z']);
  console.log('fourth:', await waits);
  await show();
})();
