// Callbacks, user objects and scripts of a page, called by Java; and reactions of Java to promises.
// The functions for Java that are called often return at their end: the engine throws an exception
// of Java for any other return, which costs 0.3 µs.

import {
  apply, define, failure, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, HiddenPromise, isEmbedders, isObject,
  keepCompletion, newList, PromiseCtor, promiseThen, RangeErrorCtor, reflectDefine, reflectDelete, seam, seamOf,
  setProto, tables, takeCompletion, TypeErrorCtor, withoutJava,
} from './capture.js';
import { toDOMString } from './conversions.js';
import { callSeam } from './operations.js';
import { isProxyObject, ownValue } from './errors.js';
import { wrap } from './platform-objects.js';

// https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception
// If the stack is too small to report an exception, it is rethrown to the caller, which has more
// stack left.
function report(error) {
  try {
    callSeam(tables.reportException, null, error);
  } catch (refusal) {
    if (isObject(refusal) && getPrototypeOf(refusal) === RangeErrorCtor.prototype) {
      throw error;
    }
  }
}

export function callAndReport(fn, self, list) {
  let result;
  try {
    result = apply(fn, self, list);
  } catch (error) {
    report(error);
    result = failure;
  }
  return result;
}

// Like callSeam, but ignores failures: Java has reported them.
function callQuietly(id, impl, value) {
  try {
    seam(id, impl, value);
  } catch (thrown) {
    throw withoutJava(thrown);
  }
}

// https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled
// `promise` is one that no page script sees; `reaction` is an object of Java.
export function reactTo(promise, reaction) {
  apply(promiseThen, promise, [
    (value) => { callQuietly(tables.fulfilled, reaction, value); },
    (reason) => { callQuietly(tables.rejected, reaction, reason); },
  ]);
}

// Awaits the result of a function as script does, and keeps the result itself in `entry`.
async function awaited(entry, fn, list) {
  return await (entry.result = apply(fn, undefined, list));
}

// The reactions of a context of the embedder whose promises have not settled yet, as a ring. If the
// embedder interrupts the context, the engine drops promise jobs, so they are added again.
const openReactions = { __proto__: null };
openReactions.next = openReactions;
openReactions.previous = openReactions;

// `promise` is one that no page script sees; it settles as `result` does.
function openReaction(reaction) {
  return { __proto__: null, reaction, result: undefined, promise: undefined, isOpen: true, next: openReactions, previous: openReactions };
}

// Returns whether a value is the interruption by the embedder. Null in contexts of the library.
let isInterruption = null;

// An interruption may also reject `promise` while the plain promise that it follows is pending.
function closing(entry, promise, member) {
  return (value) => {
    const isOfOther = member === tables.rejected && promise === entry.promise && isInterruption(value) && isPlainPromise(entry.result);
    if (entry.isOpen && !isOfOther) {
      callQuietly(member, entry.reaction, value);
      entry.isOpen = false; // last: an interruption before would lose the reaction
      entry.previous.next = entry.next;
      entry.next.previous = entry.previous;
    }
  };
}

function addReaction(entry, promise) {
  apply(promiseThen, promise, [closing(entry, promise, tables.fulfilled), closing(entry, promise, tables.rejected)]);
}

// Reacts to the promise of `entry`. Reactions of contexts of the library need no entry in the ring,
// as their agents end with the first interruption.
function reactOnce(entry, promise) {
  if (!isEmbedders) {
    reactTo(promise, entry.reaction);
    return;
  }
  entry.promise = promise;
  entry.previous = openReactions.previous;
  entry.previous.next = entry;
  openReactions.previous = entry;
  addReaction(entry, promise);
}

// Returns whether `then` of a value is that of the engine, without running code of a page.
function isPlainPromise(value) {
  if (!isObject(value) || isProxyObject(value) || getPrototypeOf(value) !== PromiseCtor.prototype) {
    return false;
  }
  return !hasOwn(value, 'then') && !hasOwn(value, 'constructor')
    && ownValue(PromiseCtor.prototype, 'then') === promiseThen && ownValue(PromiseCtor.prototype, 'constructor') === PromiseCtor;
}

function awaitAndReact(reaction, fn, list) {
  const entry = openReaction(reaction);
  const promise = awaited(entry, fn, list);
  define(promise, 'constructor', undefined, false, false, false);
  reactOnce(entry, promise);
}

// Whether the last call of `complete` returned an exception.
let threw = false;

// Calls a callback, and returns its result or its exception.
function complete(fn, id, impl) {
  let value;
  try {
    value = fn(impl === null ? null : wrap(id, impl));
    threw = false;
  } catch (error) {
    value = error;
    threw = true;
  }
  return value;
}

// A function of its own, as a captured variable makes each call of the function around it slower.
function hiddenPromise(value) {
  return new HiddenPromise((resolve) => resolve(value));
}

// Reacts with a value that a callback returned, or an exception that it threw.
// https://webidl.spec.whatwg.org/#js-promise
function reactToResult(member, value, reaction) {
  apply(promiseThen, settledPromise, [() => { callQuietly(member, reaction, value); }]);
}

const settledPromise = new HiddenPromise((resolve) => resolve());

// The number of the last call of a callback that has a reaction, and whether Java runs that itself.
let reactingCall = 0;
let javaReacts = false;

const noReaction = () => {};

// Marks a promise as handled. If the embedder has configured the engine to throw or warn for
// unhandled rejections, that cannot be prevented at the checkpoint, so it is done before. `then`
// would read the constructor of the promise, which the page may observe; an own property prevents
// that. A frozen promise stays unhandled.
function handle(promise) {
  const instead = { __proto__: null, value: undefined, writable: true, enumerable: false, configurable: true };
  let before;
  try {
    before = getOwnPropertyDescriptor(promise, 'constructor');
    if (!reflectDefine(promise, 'constructor', instead)) {
      return;
    }
  } catch {
    return; // not an object of the context
  }
  try {
    apply(promiseThen, promise, [noReaction, noReaction]);
  } catch {
    // not a promise
  }
  if (before === undefined) {
    reflectDelete(promise, 'constructor');
  } else {
    reflectDefine(promise, 'constructor', setProto(before, null));
  }
}

function argumentsFrom(args, from) {
  const list = newList();
  for (let i = from; i < args.length; i++) {
    list[i - from] = args[i];
  }
  return list;
}

// The functions for Callbacks.java, ClassicScripts.java and DroppedJobs.java.
export const callbacks = {
  __proto__: null,

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function, for callbacks that report
  // exceptions. Returns `failure` if the callback threw.
  callAndReport(fn, self) {
    return callAndReport(fn, self, argumentsFrom(arguments, 2));
  },

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function, for callbacks that return `DOMString?`.
  // Returns `failure` if the callback or the conversion threw.
  callReturningString(fn, self, argument) {
    try {
      const value = apply(fn, self, [argument]);
      return value === undefined || value === null ? null : toDOMString(value);
    } catch (error) {
      report(error);
      return failure;
    }
  },

  // https://webidl.spec.whatwg.org/#call-a-user-objects-operation
  callUserObject(object, operationName, self, argument) {
    let result;
    try {
      if (typeof object === 'function') {
        result = apply(object, self, [argument]);
      } else {
        const method = object[operationName];
        if (typeof method !== 'function') {
          throw new TypeErrorCtor(`The object has no callable '${operationName}'`);
        }
        result = apply(method, object, [argument]);
      }
    } catch (error) {
      report(error);
      result = failure;
    }
    return result;
  },

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function, up to the checkpoint that follows when
  // this is the outermost call, with `any` as return type. The argument is a new platform object, or
  // null if there is no `impl`. Keeps the completion for `takeCompletion`.
  invoke(call, fn, id, impl) {
    const value = complete(fn, id, impl);
    const isAbrupt = threw;
    keepCompletion(call, isAbrupt, value);
    if (isEmbedders && !isAbrupt && isObject(value) && !isProxyObject(value)) {
      handle(value);
    }
  },
  takeCompletion,

  // The same with a promise as return type. `reaction` waits in Java until the checkpoint is over, so
  // the promise has it before. Returns whether Java has to react itself: with `undefined`, if a
  // checkpoint follows for certain. The promise is resolved then, and its job would be the only one.
  // https://webidl.spec.whatwg.org/#js-promise
  invokeAndReact(call, fn, id, impl, reaction, isOutermost) {
    const value = complete(fn, id, impl);
    const isAbrupt = threw;
    const byJava = isOutermost && !isAbrupt && value === undefined;
    if (isAbrupt) {
      reactToResult(tables.rejected, value, reaction);
    } else if (isObject(value)) {
      const entry = openReaction(reaction);
      entry.result = value;
      reactOnce(entry, hiddenPromise(value));
    } else if (!byJava) {
      reactToResult(tables.fulfilled, value, reaction);
    }
    reactingCall = call;
    javaReacts = byJava;
    return byJava;
  },

  // What the call of invokeAndReact would have returned: null if it has no reaction.
  reactionOf(call) {
    return reactingCall === call ? javaReacts : null;
  },

  // Calls a function without `this`, awaits its result, and reacts; an exception is a rejection.
  callAndAwait(reaction, fn) {
    awaitAndReact(reaction, fn, argumentsFrom(arguments, 2));
  },

  awaitValue(reaction, value) {
    awaitAndReact(reaction, (given) => given, [value]);
  },

  setInterruptionTest(test) {
    isInterruption = test;
  },

  // Adds all open reactions again, after the engine has dropped promise jobs.
  reactAgain() {
    const last = openReactions.previous;
    for (let entry = openReactions; entry !== last;) {
      entry = entry.next;
      addReaction(entry, entry.promise);
      if (isPlainPromise(entry.result)) {
        try {
          addReaction(entry, entry.result);
        } catch {
          // a page has replaced Promise[Symbol.species]
        }
      }
    }
  },

  // Runs steps of Java such that none of their calls is the outermost one. Only Java calls this, so
  // an exception of Java that passes through reaches no page.
  run(steps) {
    return steps();
  },

  // Evaluates a script by `steps`; an exception is reported before microtasks run.
  runScript(steps) {
    try {
      steps();
      return true;
    } catch (thrown) {
      const error = withoutJava(thrown);
      report(error);
      return false;
    }
  },

  // https://webidl.spec.whatwg.org/#dfn-associated-realm
  seamOf,
};
