// The outcome of lock callbacks under the variants throw-keeps-lock, thenable-releases and
// lock-stolen-message. Evaluated before page script runs, and does not depend on built-ins that
// page script may change.
(function () {
  'use strict';
  const { apply } = Reflect;
  const promiseThen = Promise.prototype.then;
  const nothing = () => {};
  const reactions = [nothing, nothing];
  const never = { __proto__: null, then: nothing };

  // Promise.prototype.then throws for everything but a promise. The call marks the promise as
  // handled, which it is about to be anyway.
  function isPromise(value) {
    try {
      apply(promiseThen, value, reactions);
      return true;
    } catch {
      return false;
    }
  }

  function isObject(value) {
    return typeof value === 'object' ? value !== null : typeof value === 'function';
  }

  return {
    __proto__: null,

    // threw     gets what the callback throws, and the lock stays held; null where it is released
    // returned  gets an object that is no promise, and the lock is released; null where it may hold it
    around(callback, threw, returned) {
      return (lock) => {
        let result;
        try {
          result = callback(lock);
        } catch (error) {
          if (threw === null) {
            throw error;
          }
          threw(error);
          return never;
        }
        if (returned !== null && isObject(result) && !isPromise(result)) {
          returned(result);
          return undefined;
        }
        return result;
      };
    },

    hasMessage(reason, message) {
      try {
        return reason?.message === message;
      } catch {
        return false;
      }
    },
  };
})
