// Promises that Java makes and settles, and microtasks.

import {
  apply, awaitsConversion, define, HiddenPromise, newList, promiseThen, setUnhandledPromiseRejectionHandler,
} from './capture.js';
import { newCapability } from './operations.js';
import { callAndReport, reactTo } from './callbacks.js';

// Reacts to a promise that no page script sees, and that may have the species of the page.
function react(promise, reaction) {
  define(promise, 'constructor', undefined, false, false, false);
  reactTo(promise, reaction);
}

// The functions for Promises.java.
export const promises = {
  __proto__: null,
  newPromise: newCapability,

  promiseOf(capability) {
    return capability.promise;
  },

  resolvePromise(capability, value) {
    capability.resolve(value);
  },

  rejectPromise(capability, reason) {
    capability.reject(reason);
  },

  // Reacts to a promise that was made by the conversion of an argument, or by Java.
  react,

  // If the engine supports it, calls listener(reason, promise) for each promise that is rejected
  // and not handled when the microtasks have run.
  onUnhandledRejection(listener) {
    if (setUnhandledPromiseRejectionHandler === undefined) {
      return false;
    }
    setUnhandledPromiseRejectionHandler((reason, promise) => {
      if (!awaitsConversion(promise)) {
        listener(reason, promise);
      }
    });
    return true;
  },

  queueMicrotask(steps) {
    apply(promiseThen, new HiddenPromise((resolve) => resolve()), [() => { callAndReport(steps, undefined, newList()); }]);
  },
};
