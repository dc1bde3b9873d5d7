// The prelude, part 9: what Java calls.

// https://html.spec.whatwg.org/multipage/webappapis.html#report-an-exception
// Where the stack is too small to report an exception it goes on to the caller, who has more of it.
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
  try {
    return apply(fn, self, list);
  } catch (error) {
    report(error);
    return failure;
  }
}

// Leaves out what callSeam does with failures: Java has reported them.
function callQuietly(id, impl, value) {
  try {
    seam(id, impl, value);
  } catch (thrown) {
    throw own(thrown);
  }
}

// https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled
// `promise` is one that no page script sees; `reaction` is Java's.
function reactTo(promise, reaction) {
  apply(promiseThen, promise, [
    (value) => { callQuietly(tables.fulfilled, reaction, value); },
    (reason) => { callQuietly(tables.rejected, reaction, reason); },
  ]);
}

let isProxyObject;

const noReaction = () => {};

// Where the embedder has set the engine to throw, or to warn, of unhandled rejections, nothing can hold it
// back at the checkpoint: so the promise is handled before. `then` would ask for its constructor, which the
// page may see; an own property hides that. A frozen promise stays unhandled.
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
// The target holds the ordinary properties, and `namedObject` tells what a name stands for, null for
// nothing. What the global has, or inherits, hides names; so a lookup that finds something asks nobody.
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

// Makes the object that stands for a Java implementation.
function wrap(id, impl) {
  const record = records[id] ?? makeRecord(id);
  if ((record.plain ??= isPlain(record))) {
    const plain = create(record.proto);
    put(plain, impl, record, undefined);
    return plain;
  }
  if (record.legacy !== null) {
    const exotic = legacyObject(record, record.proto);
    exotic.impl = impl;
    return prepare(exotic.proxy, record, impl, exotic.target);
  }
  const object = newObject(record, record.proto);
  return prepare(object, record, impl, object);
}

// Makes a dictionary out of the values from an index on. Those of three members, as LockInfo has, are
// asked for by the thousand.
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

  // Gives the global its children by index, up to `count`; `child` has them.
  // https://html.spec.whatwg.org/multipage/nav-history-apis.html#accessing-other-browsing-contexts
  setChildren(count, child) {
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
  // exceptions. Returns `failure` if it threw.
  callAndReport(fn, self) {
    return callAndReport(fn, self, rest(arguments, 2));
  },

  // https://webidl.spec.whatwg.org/#call-a-user-objects-operation
  callUserObject(object, operationName, self, argument) {
    try {
      if (typeof object === 'function') {
        return apply(object, self, [argument]);
      }
      const method = object[operationName];
      if (typeof method !== 'function') {
        throw new TypeErrorCtor(`The object has no callable '${operationName}'`);
      }
      return apply(method, object, [argument]);
    } catch (error) {
      report(error);
      return failure;
    }
  },

  // https://webidl.spec.whatwg.org/#invoke-a-callback-function, up to the checkpoint that follows when
  // this is the outermost call; the caller converts the value after it. The argument is a new platform
  // object, or null if there is no `impl`.
  invoke(call, fn, id, impl) {
    let isAbrupt = false;
    let value;
    try {
      value = fn(impl === null ? null : wrap(id, impl));
    } catch (error) {
      isAbrupt = true;
      value = error;
    }
    keepCompletion(call, isAbrupt, value);
    if (lent !== null && !isAbrupt && isObject(value) && !isProxyObject(value)) {
      handle(value);
    }
  },

  // What a call of invoke came to, for steps that convert it themselves.
  takeCompletion,

  // The rest of it, with a promise as return type. False if the call did not come to its end.
  // https://webidl.spec.whatwg.org/#js-promise
  reactToCompletion(call, reaction) {
    const completion = completionOf(call);
    if (completion === null) {
      return false;
    }
    const { isAbrupt, value } = completion;
    reactTo(new HiddenPromise((resolve, reject) => (isAbrupt ? reject : resolve)(value)), reaction);
    takeCompletion(call);
    return true;
  },

  isCompletionLeft,

  // For a promise that was made by the conversion of an argument, or by Java.
  react(promise, reaction) {
    define(promise, 'constructor', undefined, false, false, false);
    reactTo(promise, reaction);
  },

  // Where the engine offers it: listener(reason, promise) for each promise that is rejected and
  // not handled when the microtasks have run.
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

  // Runs steps of Java such that nothing they do is the outermost call.
  // Java alone calls this, so what Java throws through it reaches no page.
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

  // Keeps the members of many dictionaries, which follow the name, for `dictionaries`. All are strings;
  // null stands for the same as in the dictionary before.
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

  // A new array of new dictionaries. The array comes from map(), which asks no page for anything.
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
      define(list, i, arguments[i], true, false, false);
    }
    define(list, 'length', arguments.length, false, false, false);
    return preventExtensions(list);
  },

  // https://webidl.spec.whatwg.org/#dfn-associated-realm
  seamOf,

  isPlatformObject(value) {
    return typeOf(value) !== undefined;
  },

  // The Java implementation of a platform object, null for anything else.
  implementation(value) {
    return typeOf(value) === undefined ? null : implOf(value);
  },

  // The entries that a maplike or setlike object has.
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

  // Hands the buffer, the offset and the length of a buffer source to `accept`; false for no buffer source.
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
  // Whether the engine takes a byte buffer of the host, with one byte in it, for what it is.
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

  // Whether it is an interface object or the named properties object, which nobody can tell from ordinary ones.
  isOurs(value) {
    return typeof value === 'function' ? nativeName(value) !== undefined : isImmutablePrototype(value);
  },

  // Something whose kind is that of all proxies.
  someProxy() {
    return new ProxyCtor(create(null), { __proto__: null });
  },

  // What reads errors, see below.
  errorReader(isProxy, framesOf) {
    isProxyObject = isProxy;
    return errorReader(isProxy, framesOf);
  },

  // Makes a function look native.
  native,

  // Java passes its functions for scripts of ours through this.
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
// isProxy   whether an object is a Proxy, which is asked nothing
// framesOf  where an error was made, as lines
function errorReader(isProxy, framesOf) {
  // The value of the nearest property; `hidden` where only code of a page could tell, or where to
  // show the value would run such code.
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

  // https://tc39.es/ecma262/#sec-error.prototype.tostring, as far as a page has no say in it
  function titleOf(error) {
    if (typeOf(error)?.error) {
      return callSeam(tables.errorTitle, implOf(error), undefined);
    }
    const name = nearestText(error, 'name', 'Error') ?? constructorName(error) ?? 'Error';
    const message = nearestText(error, 'message', '') ?? '';
    return name === '' ? message : message === '' ? name : `${name}: ${message}`;
  }

  // Whether the property `stack` of an error can be looked at. The engine writes the text when it is
  // first asked for, and gets and converts name and message then; objects of ours have it from the start.
  function isStackPlain(error) {
    return typeOf(error)?.error || (nearest(error, 'name') !== hidden && nearest(error, 'message') !== hidden);
  }

  return {
    __proto__: null,
    isError,
    isStackPlain,

    // The stack of an error, null if it has none that is a string.
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

    // What an error event shows of an exception. Values that are no errors are converted to strings.
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
