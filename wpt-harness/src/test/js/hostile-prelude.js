// Detects calls from the binding to functions that a page can replace. Replaces every function and
// accessor of the language's and the platform's objects by one that delegates, and that fails the test
// when code of the binding calls it. Run by `weblocks wpt --preload`, with
// -Ddev.weblocks.showInternalFrames=true: it identifies the binding by the names of scripts in stacks.
(function () {
  'use strict';

  const { apply, construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;
  const ErrorCtor = Error;
  const ObjectCtor = Object;
  const { indexOf, slice, startsWith } = String.prototype;
  const setProto = ObjectCtor.setPrototypeOf;
  const later = setTimeout;
  const visited = new WeakSet();
  const { has, add } = WeakSet.prototype;
  const replacements = new WeakMap();
  const { get: mapGet, set: mapSet } = WeakMap.prototype;

  // Functions of the prelude that may run code of a page according to the standards: they convert an
  // object that the page passed, or resolve a promise with an object.
  const ALLOWED = setProto(
    [
      'convertDictionary', // https://webidl.spec.whatwg.org/#js-to-dictionary: Get of each member
      'toRecord', // https://webidl.spec.whatwg.org/#js-record: Get of each own key
      'iterate', // https://webidl.spec.whatwg.org/#create-sequence-from-iterable
      'toDOMString', // https://webidl.spec.whatwg.org/#js-DOMString: ToString
      'toNumber', // https://webidl.spec.whatwg.org/#abstract-opdef-converttoint: ToNumber
      'putForward', // https://webidl.spec.whatwg.org/#dfn-attribute-setter: Get of the attribute, Set of the other
      'ordinaryGet', // a property of a legacy platform object that the page reads
      'ordinarySet',
    ],
    null,
  );

  const contains = (text, part) => apply(indexOf, text, [part]) >= 0;

  const STACK_TRACE_LIMIT = { __proto__: null, value: 4, writable: true, configurable: true };
  const DEEPER = { __proto__: null, value: 16, writable: true, configurable: true };

  function stackOf(limit) {
    const before = getOwnPropertyDescriptor(ErrorCtor, 'stackTraceLimit');
    defineProperty(ErrorCtor, 'stackTraceLimit', limit);
    const { stack } = new ErrorCtor();
    if (before === undefined) {
      deleteProperty(ErrorCtor, 'stackTraceLimit');
    } else {
      defineProperty(ErrorCtor, 'stackTraceLimit', before);
    }
    return stack;
  }

  // Returns the innermost stack frame that called a wrapper, apart from functions of the language.
  function caller(stack) {
    let at = apply(indexOf, stack, ['\n']);
    for (let frame = 0; at >= 0; frame++) {
      const next = apply(indexOf, stack, ['\n', at + 1]);
      // the first three are stackOf(), check() and the wrapper
      if (frame > 2) {
        const line = apply(slice, stack, next < 0 ? [at + 1] : [at + 1, next]);
        if (!contains(line, '<builtin>') && !contains(line, '(native')) {
          return line;
        }
      }
      at = next;
    }
    return undefined;
  }

  let checking = false;
  let entered = 0;

  function check(label) {
    if (checking) {
      return;
    }
    checking = true;
    entered++;
    const frame = caller(stackOf(STACK_TRACE_LIMIT)) ?? caller(stackOf(DEEPER)) ?? '';
    checking = false;
    if (!contains(frame, 'weblocks:')) {
      return;
    }
    for (let i = 0; i < ALLOWED.length; i++) {
      if (contains(frame, ` ${ALLOWED[i]} `)) {
        return;
      }
    }
    fail(`the binding entered ${label}:${frame}`);
  }

  // Reports an uncaught error, because the binding might swallow an exception thrown into it.
  function fail(text) {
    const error = new ErrorCtor(text);
    later(() => {
      throw error;
    });
  }

  function isConstructor(fn) {
    try {
      construct(ObjectCtor, [], fn);
      return true;
    } catch {
      return false;
    }
  }

  function wrapperOf(fn, label) {
    const known = apply(mapGet, replacements, [fn]);
    if (known !== undefined) {
      return known;
    }
    const { wrapper } = {
      wrapper() {
        check(label);
        return apply(fn, this, arguments);
      },
    };
    for (const key of ['length', 'name']) {
      const descriptor = getOwnPropertyDescriptor(fn, key);
      if (descriptor !== undefined) {
        defineProperty(wrapper, key, descriptor);
      }
    }
    apply(mapSet, replacements, [fn, wrapper]);
    return wrapper;
  }

  function nameOf(key) {
    return typeof key === 'symbol' ? `[${key.description}]` : `.${key}`;
  }

  // Not wrapped: its event's source is the window of the calling function, which a wrapper changes.
  const namesItsCaller = typeof document === 'object' ? globalThis.postMessage : undefined;

  let replaced = 0;

  function visit(object, path) {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function') || apply(has, visited, [object])) {
      return;
    }
    apply(add, visited, [object]);
    const isGlobal = object === globalThis;
    for (const key of ownKeys(object)) {
      const descriptor = getOwnPropertyDescriptor(object, key);
      const label = path + nameOf(key);
      if (key === 'constructor' || (isGlobal && key === 'eval') || descriptor === undefined) {
        continue;
      }
      const { value, get, set } = descriptor;
      if (typeof value === 'function' && !isConstructor(value)) {
        visit(value, label);
        if (value !== namesItsCaller && (descriptor.configurable || descriptor.writable)) {
          replaced++;
          defineProperty(object, key, { value: wrapperOf(value, label) });
        }
      } else if (get !== undefined || set !== undefined) {
        if (descriptor.configurable) {
          replaced++;
          const replacement = {};
          if (get !== undefined) {
            replacement.get = wrapperOf(get, `get ${label}`);
          }
          if (set !== undefined) {
            replacement.set = wrapperOf(set, `set ${label}`);
          }
          defineProperty(object, key, replacement);
        }
      } else if (!isGlobal || typeof value === 'function' || key === 'Math' || key === 'JSON' || key === 'Reflect' || key === 'Atomics' || key === 'Intl' || key === 'console') {
        visit(value, label);
      }
    }
    visit(getPrototypeOf(object), `${path}.__proto__`);
  }

  // Objects that are not reachable through properties of globals.
  const hidden = {
    ArrayIterator: [][Symbol.iterator](),
    MapIterator: new Map().entries(),
    SetIterator: new Set().entries(),
    StringIterator: ''[Symbol.iterator](),
    RegExpStringIterator: 'a'.matchAll(/a/g),
    Generator: (function* () {})(),
    AsyncGenerator: (async function* () {})(),
    AsyncFunction: async function () {},
    IteratorHelper: [].values().map((x) => x),
    TypedArray: Uint8Array,
  };
  visit(globalThis, 'globalThis');
  for (const name in hidden) {
    visit(hidden[name], name);
  }

  // Self-check: nothing is detected if the binding's frames are hidden, or nothing is replaced.
  let seen = false;
  const probe = {
    get capture() {
      seen = contains(new ErrorCtor().stack, 'weblocks:');
      return false;
    },
  };
  EventTarget.prototype.addEventListener.call(new EventTarget(), 'probe', null, probe);
  if (!seen) {
    fail('the frames of the binding are hidden: run with -Ddev.weblocks.showInternalFrames=true');
  }
  [].map((x) => x);
  if (replaced < 600 || entered === 0) {
    fail(`only ${replaced} functions were replaced, and ${entered} calls seen`);
  }
})();
