// The use of the API: the first examples of the explainer, and of section 1.1 of the Working Draft.
// The two functions are ours.
const do_something = async () => { console.log('does something'); };
const do_something_else = async () => { console.log('does something else'); };

navigator.locks.request('my_resource', async lock => {
   // The lock has been acquired.
   await do_something();
   await do_something_else();
   // Now the lock will be released.
});

(async () => {
  // Before requesting the lock.
  await navigator.locks.request('my_resource', async lock => {
     // The lock has been acquired.
     await do_something();
     // Now the lock will be released.
  });
  // After the lock has been released
  console.log('the lock has been released');
})();
