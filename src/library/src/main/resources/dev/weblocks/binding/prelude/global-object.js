// The global as a platform object, with its indexed and named properties.

import {
  create, define, defineProperty, exposed, getOwnPropertyDescriptor, getPrototypeOf, global, hasOwn,
  markImmutablePrototype, ProxyCtor, put, reflectDelete, reflectGet, reflectHas, requireStack, setProto, toStringTag,
} from './capture.js';
import { arrayIndex } from './legacy-objects.js';
import { crossOriginObject, globalProxy, operationFor } from './global-proxies.js';
import { makeRecord, prepare, recordOf, records } from './interfaces.js';
import { fixPrototypes } from './realm.js';

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
    get(target, key, receiverObject) {
      const value = visible(key);
      return value === null ? reflectGet(target, key, receiverObject) : value;
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

// The functions for GlobalObject.java.
export const globalObject = {
  __proto__: null,

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
};
