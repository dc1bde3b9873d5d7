// Evaluated once per installation: puts members into a global object that the embedder owns.
//
// exposed   an object with all members that could be installed, as own properties
// previous  the result of this function for an installation that was closed since; null for none
(function (exposed, previous) {
  'use strict';

  const global = globalThis;
  const { getOwnPropertyDescriptor, defineProperty, deleteProperty, has, set, apply } = Reflect;
  const inherited = exposed.EventTarget.prototype;
  const gettersOfNavigator = { __proto__: null };
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // a global without a URL of its own has no service workers
  if (exposed.WorkerNavigator !== undefined) {
    deleteProperty(exposed.WorkerNavigator.prototype, 'serviceWorker');
  }
  const getNavigator = getOwnPropertyDescriptor(exposed, 'navigator').get;

  function descriptorOf(name) {
    if (name === 'navigator' && exposed.WorkerNavigator === undefined) {
      return undefined;
    }
    return getOwnPropertyDescriptor(exposed, name) ?? getOwnPropertyDescriptor(inherited, name);
  }

  // Returns whether a property is left over from an installation that was closed.
  function isLeftOver(object, name, ofPrevious) {
    const there = getOwnPropertyDescriptor(object, name);
    return there !== undefined && ofPrevious !== undefined
      && (there.get === undefined ? there.value === ofPrevious.value : there.get === ofPrevious.get);
  }

  function put(object, name, descriptor, replace, ofPrevious) {
    try {
      if (has(object, name) && !replace && !isLeftOver(object, name, ofPrevious)) {
        return 'KEPT';
      }
      if (descriptor === undefined) {
        return 'MISSING';
      }
      // a property declared by `var` accepts another value, but no other descriptor
      const done = defineProperty(object, name, descriptor)
        || ('value' in descriptor && set(object, name, descriptor.value) && object[name] === descriptor.value);
      return done ? 'INSTALLED' : 'REFUSED';
    } catch {
      return 'REFUSED'; // by a proxy
    }
  }

  function isOurNavigator(object) {
    return isObject(object) && object === apply(getNavigator, global, []);
  }

  return {
    __proto__: null,
    descriptorOf,
    gettersOfNavigator,

    place(name, replace) {
      return put(global, name, descriptorOf(name), replace, previous === null ? undefined : previous.descriptorOf(name));
    },

    // Installs a member of `navigator`, which may be the context's own or ours.
    placeInNavigator(name, replace) {
      const ours = apply(getNavigator, global, []);
      if (!has(ours, name)) {
        return 'MISSING';
      }
      let navigator;
      try {
        ({ navigator } = global);
      } catch {
        return 'REFUSED';
      }
      if (!isObject(navigator)) {
        return 'REFUSED';
      }
      if (isOurNavigator(navigator)) {
        return 'INSTALLED';
      }
      const { get: getter } = getOwnPropertyDescriptor({ get [name]() { return ours[name]; } }, name);
      const descriptor = { __proto__: null, get: getter, set: undefined, enumerable: true, configurable: true };
      const outcome = put(navigator, name, descriptor, replace, previous === null ? undefined : previous.gettersOfNavigator[name]);
      if (outcome === 'INSTALLED') {
        gettersOfNavigator[name] = descriptor;
      }
      return outcome;
    },
  };
})
