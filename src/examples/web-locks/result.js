// The result of the callback: "API Proposal" of the explainer, and section 3.2.1 of the Working Draft.
// The two functions are ours; the second time, one of them throws.
let broken = false;
const do_something = async () => {};
const do_something_else = async () => {
  if (broken) {
    throw new Error('something else went wrong');
  }
};

async function use() {
  try {
    const result = await navigator.locks.request('resource', async lock => {
      // The lock is held here.
      await do_something();
      await do_something_else();
      return "ok";
      // The lock will be released now.
    });
    // |result| has the return value of the callback.
    console.log('result:', result);
  } catch (ex) {
    // if the callback threw, it will be caught here.
    console.log('caught:', ex.message);
  }
}

(async () => {
  await use();
  broken = true;
  await use();
  const {held} = await navigator.locks.query();
  console.log('locks that are still held:', held.length);
})();
