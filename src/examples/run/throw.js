// A callback that throws. Whether the next request gets the lock is a question of the rules.
navigator.locks.request('door', () => { throw new Error('too wide'); }).catch(error => {
  console.log('rejected', String(error));
  navigator.locks.request('door', () => console.log('granted'));
});
