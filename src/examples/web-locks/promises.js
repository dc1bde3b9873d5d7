// The waiting promise and the released promise: section 2.4 of the Working Draft. The output is ours.
const p1 = navigator.locks.request('resource', lock => {
  const p2 = new Promise(r => {
    // Logic to use lock and resolve promise...
    setTimeout(r, 10, 'used');
  });
  p2.then(() => console.log('the waiting promise is fulfilled'));
  return p2;
});
p1.then(async value => {
  const {held} = await navigator.locks.query();
  console.log(`the released promise is fulfilled with '${value}', and ${held.length} locks are held`);
});
