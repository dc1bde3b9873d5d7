// Legacy platform objects: https://webidl.spec.whatwg.org/#js-legacy-platform-objects
// Objects with indexed or named properties are proxies whose target holds their ordinary properties.

import {
  apply, create, floor, getOwnPropertyDescriptor, getPrototypeOf, isObject, newList, ownKeys, ProxyCtor,
  reflectDefine, reflectDelete, reflectGet, reflectHas, reflectSet, setProto, toNumber,
} from './capture.js';
import { compile } from './conversions.js';
import { callSeam, callSeamWithKey } from './operations.js';

// Returns the array index of a key, else -1: https://tc39.es/ecma262/#array-index
export function arrayIndex(key) {
  if (typeof key !== 'string') {
    return -1;
  }
  const n = toNumber(key);
  return n >= 0 && n < 4294967295 && floor(n) === n && `${n}` === key ? n : -1;
}

// https://tc39.es/ecma262/#sec-ordinaryget, with the own property at hand
function ordinaryGet(target, descriptor, key, receiverObject) {
  if (descriptor === undefined) {
    const parent = getPrototypeOf(target);
    return parent === null ? undefined : reflectGet(parent, key, receiverObject);
  }
  if ('value' in descriptor) {
    return descriptor.value;
  }
  return descriptor.get === undefined ? undefined : apply(descriptor.get, receiverObject, []);
}

// https://tc39.es/ecma262/#sec-ordinarysetwithowndescriptor
function ordinarySet(target, descriptor, key, value, receiverObject) {
  if (descriptor === undefined) {
    const parent = getPrototypeOf(target);
    if (parent !== null) {
      return reflectSet(parent, key, value, receiverObject);
    }
  } else if (!('value' in descriptor)) {
    if (descriptor.set === undefined) {
      return false;
    }
    apply(descriptor.set, receiverObject, [value]);
    return true;
  } else if (!descriptor.writable) {
    return false;
  }
  if (!isObject(receiverObject)) {
    return false;
  }
  const existing = getOwnPropertyDescriptor(receiverObject, key);
  if (existing === undefined) {
    return reflectDefine(receiverObject, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
  setProto(existing, null);
  return 'value' in existing && existing.writable
    ? reflectDefine(receiverObject, key, { __proto__: null, value })
    : false;
}

// Returns {proxy, target, impl}: the caller sets impl, and defines properties on the target. The
// engine makes the descriptor for the trap of the proxy by assignments, which accessors on
// Object.prototype can observe.
export function legacyObject(record, proto) {
  const { indexed, named, overrideBuiltIns, enumerableNames } = record.legacy;
  const target = create(proto);
  const made = { __proto__: null, proxy: undefined, target, impl: undefined };
  const label = `Failed to set a property of '${record.name}'`;
  const isIndex = (key) => indexed !== null && arrayIndex(key) >= 0;
  const supportedIndex = (key) => {
    const n = arrayIndex(key);
    return n >= 0 && n < callSeam(indexed.size, made.impl, undefined) ? n : -1;
  };
  const supportedNames = () => setProto(callSeam(named.names, made.impl, undefined), null);
  const isSupportedName = (key) => {
    if (named.supports !== undefined) {
      return callSeam(named.supports, made.impl, key);
    }
    const names = supportedNames();
    for (let i = 0; i < names.length; i++) {
      if (names[i] === key) {
        return true;
      }
    }
    return false;
  };
  const ownOf = (key) => {
    const descriptor = getOwnPropertyDescriptor(target, key);
    return descriptor === undefined ? undefined : setProto(descriptor, null);
  };
  const inherits = (key) => {
    const parent = getPrototypeOf(target);
    return parent !== null && reflectHas(parent, key);
  };
  // https://webidl.spec.whatwg.org/#dfn-named-property-visibility
  const isUnhidden = (key) => overrideBuiltIns || (ownOf(key) === undefined && !inherits(key));
  const isVisibleName = (key) => named !== null && typeof key === 'string' && isSupportedName(key) && isUnhidden(key);
  // https://webidl.spec.whatwg.org/#legacy-platform-object-getownproperty-i
  const getOwn = (key, ignoreNamedProps) => {
    if (isIndex(key)) {
      const n = supportedIndex(key);
      if (n >= 0) {
        return {
          __proto__: null,
          value: callSeam(indexed.get, made.impl, n),
          writable: indexed.set >= 0,
          enumerable: true,
          configurable: true,
        };
      }
      ignoreNamedProps = true;
    }
    if (!ignoreNamedProps && isVisibleName(key)) {
      return {
        __proto__: null,
        value: callSeam(named.get, made.impl, key),
        writable: named.set >= 0,
        enumerable: enumerableNames,
        configurable: true,
      };
    }
    return ownOf(key);
  };
  const convertIndexed = indexed !== null && indexed.set >= 0 ? compile(indexed.type) : undefined;
  const convertNamed = named !== null && named.set >= 0 ? compile(named.type) : undefined;
  // https://webidl.spec.whatwg.org/#invoke-indexed-setter and #invoke-named-setter
  const setIndexed = (key, value) => {
    callSeamWithKey(indexed.set, made.impl, arrayIndex(key), convertIndexed(value, label));
  };
  const setNamed = (key, value) => {
    callSeamWithKey(named.set, made.impl, key, convertNamed(value, label));
  };
  const handler = {
    __proto__: null,
    getOwnPropertyDescriptor(_, key) {
      return getOwn(key, false);
    },
    has(_, key) {
      return getOwn(key, false) !== undefined || inherits(key);
    },
    get(_, key, receiverObject) {
      return ordinaryGet(target, getOwn(key, false), key, receiverObject);
    },
    // https://webidl.spec.whatwg.org/#legacy-platform-object-set
    set(_, key, value, receiverObject) {
      if (receiverObject === made.proxy) {
        if (isIndex(key) && convertIndexed !== undefined) {
          setIndexed(key, value);
          return true;
        }
        if (typeof key === 'string' && convertNamed !== undefined && !isIndex(key)) {
          setNamed(key, value);
          return true;
        }
      }
      return ordinarySet(target, getOwn(key, true), key, value, receiverObject);
    },
    // https://webidl.spec.whatwg.org/#legacy-platform-object-defineownproperty
    defineProperty(_, key, descriptor) {
      setProto(descriptor, null);
      const isData = 'value' in descriptor || 'writable' in descriptor;
      if (isIndex(key)) {
        if (!isData || convertIndexed === undefined) {
          return false;
        }
        setIndexed(key, descriptor.value);
        return true;
      }
      if (named !== null && typeof key === 'string' && !isUnforgeable(record, key)) {
        const creating = !isSupportedName(key);
        if (overrideBuiltIns || ownOf(key) === undefined) {
          if (!creating && convertNamed === undefined) {
            return false;
          }
          if (convertNamed !== undefined) {
            if (!isData) {
              return false;
            }
            setNamed(key, descriptor.value);
            return true;
          }
        }
      }
      return reflectDefine(target, key, descriptor);
    },
    // https://webidl.spec.whatwg.org/#legacy-platform-object-delete
    deleteProperty(_, key) {
      if (isIndex(key)) {
        return supportedIndex(key) < 0;
      }
      if (isVisibleName(key)) {
        if (named.delete < 0) {
          return false;
        }
        return callSeam(named.delete, made.impl, key) !== false;
      }
      return reflectDelete(target, key);
    },
    // https://webidl.spec.whatwg.org/#legacy-platform-object-ownpropertykeys
    ownKeys() {
      const keys = newList();
      if (indexed !== null) {
        for (let n = 0, count = callSeam(indexed.size, made.impl, undefined); n < count; n++) {
          keys[n] = `${n}`;
        }
      }
      const own = setProto(ownKeys(target), null);
      if (named !== null) {
        const names = supportedNames();
        for (let i = 0; i < names.length; i++) {
          // an index key that is also a name is among the indices
          if (isUnhidden(names[i]) && !(overrideBuiltIns && includes(own, names[i])) && !(isIndex(names[i]) && supportedIndex(names[i]) >= 0)) {
            keys[keys.length] = names[i];
          }
        }
      }
      for (let i = 0; i < own.length; i++) {
        keys[keys.length] = own[i];
      }
      return keys;
    },
    preventExtensions() {
      return false;
    },
  };
  made.proxy = new ProxyCtor(target, handler);
  return made;
}

export function includes(list, item) {
  for (let i = 0; i < list.length; i++) {
    if (list[i] === item) {
      return true;
    }
  }
  return false;
}

// https://webidl.spec.whatwg.org/#dfn-unforgeable-on-an-interface: of it or of one it inherits from
function isUnforgeable(record, key) {
  for (let at = record; at !== undefined; at = at.parent) {
    if (includes(at.unforgeableNames, key)) {
      return true;
    }
  }
  return false;
}
