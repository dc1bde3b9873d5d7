// The prelude, part 9: the functions that Java calls. Those that are called often return at their
// end: the engine throws an exception of Java for any other return, which costs 0.3 µs.

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

function callAndReport(fn, self, list) {
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
    throw own(thrown);
  }
}

// https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled
// `promise` is one that no page script sees; `reaction` is an object of Java.
function reactTo(promise, reaction) {
  apply(promiseThen, promise, [
    (value) => { callQuietly(tables.fulfilled, reaction, value); },
    (reason) => { callQuietly(tables.rejected, reaction, reason); },
  ]);
}

// Reacts to a promise that no page script sees, and that may have the species of the page.
function react(promise, reaction) {
  define(promise, 'constructor', undefined, false, false, false);
  reactTo(promise, reaction);
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
  if (embedderIsError === null) {
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

let isProxyObject;

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

function rest(args, from) {
  const list = newList();
  for (let i = from; i < args.length; i++) {
    list[i - from] = args[i];
  }
  return list;
}

let childCount = 0;

// https://webidl.spec.whatwg.org/#named-properties-object
// The target holds the ordinary properties, and `namedObject` returns the object of a name, null
// for none. Properties that the global has or inherits hide names, so `namedObject` is not called
// for them.
let namedObject;
let namedTarget;
let namedHost;

function namedPropertiesObject(record, name) {
  namedTarget = create(getPrototypeOf(record.proto));
  define(namedTarget, toStringTag, name, false, false, true);
  namedHost = record.proto;
  // The indices of the children, which are own properties of the global here, are those of its WindowProxy.
  const isHidden = (key) => {
    const n = arrayIndex(key);
    return n >= 0 && n < childCount ? hasOwn(namedHost, key) || reflectHas(namedTarget, key) : isGlobalProperty(key);
  };
  const visible = (key) => (typeof key !== 'string' || namedObject === undefined || isHidden(key) ? null : namedObject(key));
  const no = () => false;
  return new ProxyCtor(namedTarget, {
    __proto__: null,
    get(target, key, receiver) {
      const value = visible(key);
      return value === null ? reflectGet(target, key, receiver) : value;
    },
    has(target, key) {
      return reflectHas(target, key) || visible(key) !== null;
    },
    getOwnPropertyDescriptor(target, key) {
      const value = visible(key);
      return value === null
        ? getOwnPropertyDescriptor(target, key)
        : { __proto__: null, value, writable: true, enumerable: false, configurable: true };
    },
    defineProperty: no,
    deleteProperty: no,
    preventExtensions: no,
  });
}

function isGlobalProperty(key) {
  return hasOwn(global, key) || hasOwn(namedHost, key) || reflectHas(namedTarget, key);
}

// Makes the object for a Java implementation.
function wrap(id, impl) {
  const record = records[id] ?? makeRecord(id);
  let made;
  if ((record.plain ??= isPlain(record))) {
    made = create(record.proto);
    put(made, impl, record, undefined);
  } else if (record.legacy !== null) {
    const exotic = legacyObject(record, record.proto);
    exotic.impl = impl;
    made = prepare(exotic.proxy, record, impl, exotic.target);
  } else {
    const object = newObject(record, record.proto);
    made = prepare(object, record, impl, object);
  }
  return made;
}

// Returns a function that makes a dictionary out of the values from an index on. Dictionaries with
// three members, such as LockInfo, are made by the thousand, so they have a fast path.
function dictionaryMaker(members, values) {
  if (members.length === 3) {
    const first = members[0].name;
    const second = members[1].name;
    const third = members[2].name;
    return (start) => ({ [first]: values[start], [second]: values[start + 1], [third]: values[start + 2] });
  }
  return (start) => {
    const object = {};
    for (let i = 0; i < members.length; i++) {
      define(object, members[i].name, values[start + i], true, true, true);
    }
    return object;
  };
}

const api = {
  __proto__: null,

  wrap,

  // Makes the object for a DOMException that Java has made. `copied` is the stack of the original if
  // the exception is a copy, otherwise null.
  wrapError(id, impl, title, copied) {
    const record = records[id] ?? makeRecord(id);
    const object = newError(record.proto);
    put(object, impl, record, undefined);
    if (copied === null) {
      stampStack(object, title);
    } else {
      define(object, 'stack', copied, false, true, true);
    }
    return object;
  },

  // Makes the global object a platform object.
  // A global with named properties has these on its prototype chain, in an object of its own.
  // https://webidl.spec.whatwg.org/#named-properties-object
  brandGlobal(id, impl, namedPropertiesName) {
    const record = records[id] ?? makeRecord(id);
    setProto(global, record.proto);
    if (namedPropertiesName !== null) {
      const namedProperties = namedPropertiesObject(record, namedPropertiesName);
      setProto(record.proto, namedProperties);
      markImmutablePrototype(namedProperties);
    }
    fixPrototypes();
    prepare(global, record, impl, global);
  },

  // Makes a global that the embedder owns a platform object. Nothing else of it changes.
  adoptGlobal(id, impl) {
    put(global, impl, recordOf(id), undefined);
  },
  exposed,

  globalProxy,
  operationFor,
  crossOriginObject,

  // Sets the children of the global by index, up to `count`; `child` returns them.
  // https://html.spec.whatwg.org/multipage/nav-history-apis.html#accessing-other-browsing-contexts
  setChildren(count, child) {
    requireStack();
    let i = 0;
    for (; i < count; i++) {
      defineProperty(global, `${i}`, { __proto__: null, value: child(i), writable: false, enumerable: true, configurable: true });
    }
    while (i < childCount) {
      reflectDelete(global, `${i++}`);
    }
    childCount = count;
  },

  setNamedObjects(lookUp) {
    namedObject = lookUp;
  },

  isGlobalProperty,
  nameForModules(name, get, set) {
    defineProperty(namedTarget, name, { __proto__: null, get, set, enumerable: false, configurable: true });
  },

  exception(kind, message) {
    return kind === 'TypeError' ? new TypeErrorCtor(message) : kind === 'RangeError' ? new RangeErrorCtor(message) : new ErrorCtor(message);
  },

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

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function, for callbacks that report
  // exceptions. Returns `failure` if the callback threw.
  callAndReport(fn, self) {
    return callAndReport(fn, self, rest(arguments, 2));
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
    if (embedderIsError !== null && !isAbrupt && isObject(value) && !isProxyObject(value)) {
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

  // Reacts to a promise that was made by the conversion of an argument, or by Java.
  react,

  // Calls a function without `this`, awaits its result, and reacts; an exception is a rejection.
  callAndAwait(reaction, fn) {
    awaitAndReact(reaction, fn, rest(arguments, 2));
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
      const error = own(thrown);
      report(error);
      return false;
    }
  },

  dictionary(name) {
    const { members } = dictionary(name);
    const object = {};
    for (let i = 0; i < members.length; i++) {
      const value = arguments[i + 1];
      if (value !== undefined) {
        define(object, members[i].name, value, true, true, true);
      }
    }
    return object;
  },

  // Keeps the members of many dictionaries, which follow the name, for `dictionaries`. All are
  // strings; null means the same value as in the dictionary before.
  prepareDictionaries(name) {
    const { members } = dictionary(name);
    const width = members.length;
    const values = newList();
    for (let i = 1; i < arguments.length; i++) {
      values[i - 1] = arguments[i] === null ? values[i - 1 - width] : arguments[i];
    }
    const starts = newList();
    for (let i = 0; i < values.length; i += width) {
      starts[starts.length] = i;
    }
    return { __proto__: null, starts, make: dictionaryMaker(members, values) };
  },

  // Returns a new array of new dictionaries. map() makes the array, since it runs no code of a
  // page.
  dictionaries(prepared) {
    return apply(arrayMap, prepared.starts, [prepared.make]);
  },

  array() {
    const list = [];
    for (let i = 0; i < arguments.length; i++) {
      define(list, i, arguments[i], true, true, true);
    }
    return list;
  },

  // https://webidl.spec.whatwg.org/#js-frozen-array
  frozenArray() {
    const list = [];
    for (let i = 0; i < arguments.length; i++) {
      define(list, i, arguments[i], true, true, true);
    }
    return freeze(list); // an array that becomes frozen in steps is not frozen for GraalJS 24.2
  },

  // https://webidl.spec.whatwg.org/#dfn-associated-realm
  seamOf,

  isPlatformObject(value) {
    return typeOf(value) !== undefined;
  },

  // Returns the Java implementation of a platform object, null for anything else.
  implementation(value) {
    return typeOf(value) === undefined ? null : implOf(value);
  },

  // Returns the entries of a maplike or setlike object.
  backing(value) {
    return backingOf(value);
  },
  mapSet(map, key, value) {
    apply(mapSet, map, [key, value]);
  },
  mapDelete(map, key) {
    return apply(mapDelete, map, [key]);
  },
  mapClear(map) {
    apply(mapClear, map, []);
  },
  setAdd(set, value) {
    apply(setAdd, set, [value]);
  },
  setDelete(set, value) {
    return apply(setDelete, set, [value]);
  },
  setClear(set) {
    apply(setClear, set, []);
  },

  // Passes the buffer, the offset and the length of a buffer source to `accept`; returns false for
  // any other value.
  bufferParts(value, accept) {
    if (!isObject(value)) {
      return false;
    }
    if (isView(value)) {
      const tag = apply(typedArrayTag, value, []);
      if (tag !== undefined) {
        accept(apply(viewBuffer, value, []), apply(viewOffset, value, []), apply(viewLength, value, []));
      } else {
        dataViewParts(value, accept);
      }
      return true;
    }
    if (isBufferOf('ArrayBuffer', value)) {
      accept(value, 0, apply(bufferByteLength, value, []));
      return true;
    }
    if (isBufferOf('SharedArrayBuffer', value)) {
      accept(value, 0, apply(sharedByteLength, value, []));
      return true;
    }
    return false;
  },
  // Returns whether a view has an immutable buffer; null if the engine has no such buffers.
  isImmutableView: bufferImmutable === undefined ? null : (view) => {
    const buffer = apply(apply(typedArrayTag, view, []) === undefined ? dataViewBuffer : viewBuffer, view, []);
    return hasSlot(bufferImmutable, buffer) && apply(bufferImmutable, buffer, []);
  },
  arrayBuffer(length) {
    return new ArrayBufferCtor(length);
  },
  // Writes bytes, given as hexadecimal digits or as a byte buffer of the host, into a buffer.
  fill(buffer, offset, bytes) {
    const to = new Uint8ArrayCtor(buffer, offset);
    if (typeof bytes === 'string') {
      apply(setFromHex, to, [bytes]);
    } else {
      apply(setElements, to, [new Uint8ArrayCtor(new ArrayBufferCtor(bytes))]);
    }
  },
  // Returns whether the engine accepts a byte buffer of the host, tested with a single byte.
  takesByteBuffer(bytes, byte) {
    const copy = new Uint8ArrayCtor(1);
    try {
      apply(setElements, copy, [new Uint8ArrayCtor(new ArrayBufferCtor(bytes))]);
    } catch {
      return false;
    }
    return copy[0] === byte;
  },
  uint8Array(buffer) {
    return new Uint8ArrayCtor(buffer);
  },

  isUndefined(value) {
    return value === undefined;
  },

  // Returns whether a value is an interface object or the named properties object: proxies that
  // script cannot distinguish from ordinary objects.
  isOurs(value) {
    return typeof value === 'function' ? nativeName(value) !== undefined : isImmutablePrototype(value);
  },

  // Returns a proxy, whose meta-object is that of all proxies.
  someProxy() {
    return new ProxyCtor(create(null), { __proto__: null });
  },

  // Makes the error reader, see below.
  errorReader(isProxy, framesOf) {
    isProxyObject = isProxy;
    return errorReader(isProxy, framesOf);
  },

  // Makes a function look native.
  native,

  // Java wraps its functions for internal scripts with this.
  guarded,

  parseJson(text) {
    return jsonParse(text);
  },

  // https://infra.spec.whatwg.org/#serialize-a-javascript-value-to-a-json-string; null for none
  serializeJson(value) {
    return jsonStringify(value) ?? null;
  },

  undefined,
  nullValue: null,
};

function ownValue(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : setProto(descriptor, null).value;
}

// Reads errors without running code of a page.
//
// isProxy   whether an object is a Proxy; runs no code of the object
// framesOf  the frames of an error, as lines
function errorReader(isProxy, framesOf) {
  // `nearest` returns the value of the nearest property; `hidden` if reading or showing it would
  // run code of a page.
  const hidden = { __proto__: null };
  function nearest(error, key) {
    for (let at = error; at !== null; at = getPrototypeOf(at)) {
      if (isProxy(at)) {
        return hidden;
      }
      const descriptor = getOwnPropertyDescriptor(at, key);
      if (descriptor !== undefined) {
        setProto(descriptor, null);
        const { value } = descriptor;
        return descriptor.get === undefined && descriptor.set === undefined && !isObject(value) && typeof value !== 'symbol'
          ? value
          : hidden;
      }
    }
    return undefined;
  }

  function nearestText(error, key, otherwise) {
    const value = nearest(error, key);
    return value === undefined ? otherwise : value === hidden ? undefined : `${value}`;
  }

  function constructorName(error) {
    for (let at = error; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
      const constructor = ownValue(at, 'constructor');
      if (typeof constructor === 'function') {
        const name = isProxy(constructor) ? undefined : ownValue(constructor, 'name');
        return typeof name === 'string' && name !== '' ? name : undefined;
      }
    }
    return undefined;
  }

  // https://tc39.es/ecma262/#sec-error.prototype.tostring, without the parts that run code of a
  // page
  function titleOf(error) {
    if (typeOf(error)?.error) {
      return callSeam(tables.errorTitle, implOf(error), undefined);
    }
    const name = nearestText(error, 'name', 'Error') ?? constructorName(error) ?? 'Error';
    const message = nearestText(error, 'message', '') ?? '';
    return name === '' ? message : message === '' ? name : `${name}: ${message}`;
  }

  // Returns whether a read of the property `stack` of an error runs no code of a page. The engine
  // writes the text at the first read, and reads and converts name and message then. DOMException
  // objects have the text from the start.
  function isStackPlain(error) {
    return typeOf(error)?.error || (nearest(error, 'name') !== hidden && nearest(error, 'message') !== hidden);
  }

  return {
    __proto__: null,
    isError,
    isStackPlain,

    // Returns the stack of an error, null if it has none that is a string.
    stackOf(error) {
      if (!isError(error)) {
        return null;
      }
      if (isStackPlain(error)) {
        const stack = ownValue(error, 'stack');
        return typeof stack === 'string' ? stack : null;
      }
      if (!hasOwn(error, 'stack')) {
        return null;
      }
      const frames = framesOf(error);
      return frames === '' ? titleOf(error) : `${titleOf(error)}\n${frames}`;
    },

    // Returns the text of an exception for an error event. Values that are not errors are converted
    // to strings.
    textOf(error) {
      if (isError(error)) {
        return titleOf(error);
      }
      try {
        return toDOMString(typeof error === 'symbol' ? SymbolToString(error) : error);
      } catch {
        return 'exception that cannot be shown as text';
      }
    },
  };
}

function SymbolToString(symbol) {
  return apply(symbolToString, symbol, []);
}
