// Evaluated once per installation: puts members into a global object that the embedder owns.
//
// exposed   has all that could be put there, as own properties
// previous  what this function has returned for an installation that was closed since; null for none
(function (exposed, previous) {
  'use strict';

  const global = globalThis;
  const { getOwnPropertyDescriptor, defineProperty, deleteProperty, has, set, apply } = Reflect;
  const inherited = exposed.EventTarget.prototype;
  const gettersOfNavigator = { __proto__: null };
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // there are no service workers for who has no URL of its own
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

  // Whether a property is what an installation that was closed has put there.
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
      // what `var` has declared takes another value, but no other descriptor
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

    // A member of `navigator`, whosever that is.
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
