// Evaluated once per agent, in its first realm, before any page script. The state that all realms
// of the agent share: the private slots of platform objects (so that a platform object is
// recognized in every realm) and the names of native functions.
(function () {
  'use strict';

  // A base class that returns its argument, so that a derived class can put private fields on any
  // object: a global object, a proxy, an Error.
  function Given(object) {
    return object;
  }
  Given.prototype = null;

  class Slots extends Given {
    #impl;
    #type;
    #backing;

    constructor(object, impl, type, backing) {
      super(object);
      this.#impl = impl;
      this.#type = type;
      this.#backing = backing;
    }

    static impl(object) {
      return object.#impl;
    }

    // The entries of a maplike or setlike object: a Map or a Set that no page can reach.
    static backing(object) {
      return object.#backing;
    }

    // The implementation of an object of an interface, undefined for anything else. `depth` is the
    // number of interfaces from which that interface inherits.
    static implementing(value, depth, id) {
      return ((typeof value === 'object' && value !== null) || typeof value === 'function')
        && #type in value && value.#type.chain[depth] === id
        ? value.#impl
        : undefined;
    }

    // The interface record of a platform object, undefined for anything else.
    static type(value) {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
        return undefined;
      }
      return #type in value ? value.#type : undefined;
    }
  }

  // The names of native functions. Private slots would take less memory, but more time: all
  // contexts of an engine share the shape of a function, and each would add a key to it that
  // collides with all others.
  const nativeNames = new WeakMap();
  const recordsOfRealms = new WeakMap();
  const immutablePrototypes = new WeakMap();
  const seams = new WeakMap();
  let realms = 0;

  // The completions of callbacks until their callers use them, as a linked list: the number of the
  // call, whether it threw, the value or its promise, and the completion before, as a microtask may
  // call another callback in between. One list per agent, as the engine reports unhandled rejections to its
  // first realm only.
  let completions = null;

  // Returns whether the completion of a call is not used yet. Drops those of later calls, which
  // were given up.
  function isCompletionLeft(call) {
    while (completions !== null && completions.call > call) {
      completions = completions.before;
    }
    return completions === null ? false : completions.call === call;
  }

  const { getPrototypeOf } = Reflect;
  const getName = WeakMap.prototype.get;
  const setName = WeakMap.prototype.set;
  const apply = Reflect.apply;

  return {
    __proto__: null,
    // The value that Java returns to the prelude after an exception.
    failure: Object.freeze({ __proto__: null }),
    keepCompletion(call, isAbrupt, value) {
      completions = { __proto__: null, call, isAbrupt, value, before: completions };
    },
    // Returns null if there is none.
    takeCompletion(call) {
      const taken = isCompletionLeft(call) ? completions : null;
      completions = taken === null ? completions : taken.before;
      return taken;
    },
    // Returns whether the promise is the completion of a callback and not used yet. Its use adds a
    // handler, so the promise is not reported as unhandled.
    // https://html.spec.whatwg.org/multipage/webappapis.html#notify-about-rejected-promises
    awaitsConversion(promise) {
      for (let each = completions; each !== null; each = each.before) {
        if (!each.isAbrupt && each.value === promise) {
          return true;
        }
      }
      return false;
    },
    put(object, impl, type, backing) {
      new Slots(object, impl, type, backing);
    },
    implOf: Slots.impl,
    implementing: Slots.implementing,
    backingOf: Slots.backing,
    typeOf: Slots.type,
    markNative(fn, name) {
      apply(setName, nativeNames, [fn, name]);
    },
    // Returns undefined for a function of a page.
    nativeName(fn) {
      return apply(getName, nativeNames, [fn]);
    },
    // Marks the prototype of an interface that a global object implements: its prototype is
    // immutable.
    markImmutablePrototype(object) {
      apply(setName, immutablePrototypes, [object, true]);
    },
    isImmutablePrototype(object) {
      return apply(getName, immutablePrototypes, [object]) === true;
    },
    // Stores the function that returns the interface records of a realm, by its intrinsic
    // Array.prototype.
    rememberRecords(arrayPrototype, recordOf) {
      apply(setName, recordsOfRealms, [arrayPrototype, recordOf]);
    },
    recordsByArrayPrototype(arrayPrototype) {
      return apply(getName, recordsOfRealms, [arrayPrototype]);
    },
    // Stores the seam of a realm, by the intrinsics that its functions and objects inherit from.
    rememberSeam(objectPrototype, functionPrototype, seam) {
      apply(setName, seams, [objectPrototype, seam]);
      apply(setName, seams, [functionPrototype, seam]);
      realms++;
    },
    // Returns the seam of the realm of an object, by its prototype chain; undefined if that does
    // not show it, or if there is only one realm. If there are more, a proxy may observe the call.
    seamOf(object) {
      if (realms > 1) {
        try {
          for (let at = object; at !== null; at = getPrototypeOf(at)) {
            const seam = apply(getName, seams, [at]);
            if (seam !== undefined) {
              return seam;
            }
          }
        } catch {
          // a proxy that throws
        }
      }
      return undefined;
    },
  };
});
