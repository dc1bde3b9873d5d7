// A further client of query.js.
const never = () => new Promise(() => {});
if (location.search === '?second') {
  navigator.locks.request('resource2', {mode: 'shared'}, never);
}
navigator.locks.request('resource1', never);
navigator.locks.query().then(() => postMessage('asked'));
