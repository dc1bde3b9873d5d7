// A lock is taken from its holder: "steal option to request()" of the explainer, and section 3.2.1 of the
// Working Draft, which have no code; this script follows their text.
(async () => {
  let finish;
  const released = navigator.locks.request('resource', async lock => {
    console.log('holds the lock');
    await new Promise(r => { finish = r; });
    console.log('the code that held it goes on');
  });
  released.catch(ex => console.log('its promise is rejected:', ex.name));
  navigator.locks.request('resource', () => console.log('the request that waited comes after the thief'));
  await navigator.locks.query();

  await navigator.locks.request('resource', {steal: true}, async lock => {
    console.log('has stolen it');
    finish();
    await new Promise(r => setTimeout(r, 10));
    console.log('gives it back');
  });
})();
