// Several tabs refresh one session under a lock. A tab waits for a limited time; then it assumes that the
// holder is dead and will never release the lock, and steals it. But here the server is slow, and the
// holders are alive: each thief becomes the next victim, and several tabs refresh the session at once.
const ACQUIRE_TIMEOUT = 50; // milliseconds until a tab steals
const REFRESH = 120; // milliseconds that the server takes

const sleep = millis => new Promise(resolve => setTimeout(resolve, millis));

function add(name, number) {
  const sum = Number(localStorage.getItem(name)) + number;
  localStorage.setItem(name, sum);
  return sum;
}

async function withLock(name, work) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ACQUIRE_TIMEOUT);
  try {
    return await navigator.locks.request(name, {signal: controller.signal}, () => {
      clearTimeout(timer);
      return work();
    });
  } catch (error) {
    if (!controller.signal.aborted) {
      throw error; // it was stolen, or the work has failed
    }
    return await navigator.locks.request(name, {steal: true}, work);
  }
}

async function refresh() {
  const others = add('refreshing', 1) - 1;
  console.log(others === 0 ? 'refreshes' : `refreshes beside ${others} that lost the lock`);
  await sleep(REFRESH);
  add('refreshing', -1);
  add('refreshes', 1);
}

for (let attempt = 1; attempt <= 3; attempt++) {
  try {
    await withLock('auth-token', refresh);
    console.log('has a session after attempt', attempt);
    break;
  } catch (error) {
    console.log(error.name, 'in attempt', attempt);
  }
}
