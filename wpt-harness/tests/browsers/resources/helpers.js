'use strict';

let names = 0;
const newName = () => `${location.pathname} ${++names} ${Math.random()}`;

// Inserts a frame, and returns its window.
function makeFrame(attributes = {}) {
  const frame = Object.assign(document.createElement('iframe'), attributes);
  document.body.append(frame);
  return frame.contentWindow;
}

// Takes a lock; resolves with the function that releases it.
function hold(t, name, locks = navigator.locks) {
  return new Promise((resolve, reject) => {
    locks.request(name, () => new Promise(release => {
      t.add_cleanup(release);
      resolve(release);
    })).catch(reject);
  });
}

// Fails a test if a promise is not fulfilled soon, so that the tests after it run too.
function soon(t, promise, what) {
  return Promise.race([
    promise,
    new Promise((resolve, reject) => t.step_timeout(() => reject(new Error(`${what}: not within 4 s`)), 4000)),
  ]);
}

// Resolves when a lock or request with this name is in the list.
function isListed(t, list, name) {
  const listed = async () => {
    while (!(await navigator.locks.query())[list].some(each => each.name === name)) {
      await new Promise(resolve => t.step_timeout(resolve, 10));
    }
  };
  return soon(t, listed(), `${name} is ${list}`);
}

// Resolves when a lock can be taken.
const isFree = (t, name) => soon(t, navigator.locks.request(name, () => {}), `${name} is free`);

const loaded = (t, w) =>
    soon(t, new Promise(resolve => w.addEventListener('load', resolve, {once: true})), 'load');

// Resolves when a window has sent a message.
const message = (t, wanted) => soon(t, new Promise(resolve => {
  onmessage = ({data}) => {
    if (data === wanted) resolve();
  };
}), `message ${wanted}`);
