// A callback that throws. The variant of the rules decides whether the next request gets the lock.
navigator.locks.request('door', () => { throw new Error('too wide'); }).catch(error => {
  console.log('rejected', String(error));
  navigator.locks.request('door', () => console.log('granted'));
});
