// The waiting promise without a name, which an async callback returns: the second example of section 2.4
// of the Working Draft. The use of the lock is ours.
const p1 = navigator.locks.request('resource', async lock => {
  // Logic to use lock...
  await new Promise(r => setTimeout(r, 10));
  console.log('the waiting promise is about to be fulfilled');
});
p1.then(() => console.log('the released promise is fulfilled'));
