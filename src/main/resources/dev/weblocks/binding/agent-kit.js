// Evaluated once per agent, in its first realm, before any page script. What all realms of the
// agent share: the private slots of platform objects (so that a platform object is recognized in
// every realm) and the names of native functions.
(function () {
  'use strict';

  // A base class that returns the object it is given, so that a derived class can put private
  // fields on any object: a global object, a proxy, an Error.
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

    // The interface record of a platform object, undefined for anything else.
    static type(value) {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
        return undefined;
      }
      return #type in value ? value.#type : undefined;
    }
  }

  // Of native functions. Private slots would take less memory, but not time: all contexts of an engine
  // share the shape of a function, and there each would add a key that collides with all others.
  const nativeNames = new WeakMap();
  const recordsOfRealms = new WeakMap();
  const immutablePrototypes = new WeakMap();
  const seams = new WeakMap();
  let realms = 0;

  // What callbacks came to, until it has been converted: the number of the call, whether it threw, the
  // value, and the one before, as a microtask may lead to another callback in between. Of the agent, as the
  // engine asks its first realm alone about unhandled rejections.
  let completions = null;

  // Whether what a call came to is still to be converted. Calls that came later were given up.
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
    // What Java returns to the prelude when it has thrown.
    failure: Object.freeze({ __proto__: null }),
    isCompletionLeft,
    keepCompletion(call, isAbrupt, value) {
      completions = { __proto__: null, call, isAbrupt, value, before: completions };
    },
    // Null if it is not there.
    completionOf(call) {
      return isCompletionLeft(call) ? completions : null;
    },
    takeCompletion(call) {
      const taken = isCompletionLeft(call) ? completions : null;
      completions = taken === null ? completions : taken.before;
      return taken;
    },
    // Whether a callback returned the promise and it is not converted yet. It gets a handler then, so it is
    // not reported as unhandled.
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
    backingOf: Slots.backing,
    typeOf: Slots.type,
    markNative(fn, name) {
      apply(setName, nativeNames, [fn, name]);
    },
    // Undefined for a function of a page.
    nativeName(fn) {
      return apply(getName, nativeNames, [fn]);
    },
    // Prototypes of the interfaces that a global object implements: nobody may change theirs.
    markImmutablePrototype(object) {
      apply(setName, immutablePrototypes, [object, true]);
    },
    isImmutablePrototype(object) {
      return apply(getName, immutablePrototypes, [object]) === true;
    },
    // What has the interface records of a realm, by its intrinsic Array.prototype.
    rememberRecords(arrayPrototype, recordOf) {
      apply(setName, recordsOfRealms, [arrayPrototype, recordOf]);
    },
    recordsByArrayPrototype(arrayPrototype) {
      return apply(getName, recordsOfRealms, [arrayPrototype]);
    },
    // The seam of a realm, by the intrinsics that its functions and objects inherit from.
    rememberSeam(objectPrototype, functionPrototype, seam) {
      apply(setName, seams, [objectPrototype, seam]);
      apply(setName, seams, [functionPrototype, seam]);
      realms++;
    },
    // The seam of the realm that an object is of, as far as what it inherits from tells; undefined if
    // it does not, or if there is but one realm. A proxy may notice the question, where there are more.
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
          // a proxy that does not tell
        }
      }
      return undefined;
    },
  };
});
