// The proxies that a realm has for other globals, which may be replaced:
// https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-windowproxy-exotic-object
// Each realm has its own proxies; for itself it has its own global.

import {
  apply, create, define, getOwnPropertyDescriptor, getPrototypeOf, guarded, isObject, markNative, native,
  nativeName, ownKeys, ProxyCtor, put, reflectDefine, reflectDelete, reflectGet, reflectHas, reflectSet,
  requireStack, setProto, symbolText, toStringTag, typeOf,
} from './capture.js';
import { library } from './operations.js';
import { arrayIndex, includes } from './legacy-objects.js';
import { globalCode, recordOf } from './interfaces.js';

// Returns an operation of this realm's global for another realm: its calls use a separate seam.
export function operationFor(name, itsSeam, takeItsFailure) {
  const { write, record } = globalCode;
  const { members } = write({ __proto__: library, seam: itsSeam, takeFailure: guarded(takeItsFailure) }, record);
  markNative(members[name], name);
  return members[name];
}

// https://html.spec.whatwg.org/multipage/nav-history-apis.html#crossoriginproperties-(-o-)
const readableByAll = [toStringTag, Symbol.hasInstance, Symbol.isConcatSpreadable];
const alsoReadable = (key) => key === 'then' || key === readableByAll[0] || key === readableByAll[1] || key === readableByAll[2];

// Returns the traps for an object of another origin. It has the attributes and operations of
// `inner` that any origin may use, and `child(index)`. Everything else is refused.
// https://html.spec.whatwg.org/multipage/nav-history-apis.html#cross-origin-objects
function crossOriginTraps(inner, attributes, operations, child) {
  const functions = { __proto__: null };
  const deny = (key) => inner.deny(typeof key === 'symbol' ? symbolText(key) : key);
  const own = (key) => {
    const index = arrayIndex(key);
    if (index >= 0) {
      const value = child(index);
      return value === null ? undefined : { __proto__: null, value, writable: false, enumerable: true, configurable: true };
    }
    if (includes(operations, key)) {
      if (functions[key] === undefined) {
        requireStack();
        const fn = inner[key];
        const { [key]: made } = { [key]() { return apply(fn, inner, setProto(arguments, null)); } };
        functions[key] = native(made, key, fn.length);
      }
      return { __proto__: null, value: functions[key], writable: false, enumerable: false, configurable: true };
    }
    if (includes(attributes, key)) {
      return {
        __proto__: null,
        get: native(() => inner[key], key, 0),
        set: key === 'location' || key === 'href' ? native((value) => { inner[key] = value; }, key, 1) : undefined,
        enumerable: false,
        configurable: true,
      };
    }
    return alsoReadable(key)
      ? { __proto__: null, value: undefined, writable: false, enumerable: false, configurable: true }
      : undefined;
  };
  return {
    __proto__: null,
    getPrototypeOf() {
      return null;
    },
    getOwnPropertyDescriptor(_, key) {
      return own(key) ?? deny(key);
    },
    defineProperty(_, key) {
      return deny(key);
    },
    has(_, key) {
      return own(key) === undefined ? deny(key) : true;
    },
    get(_, key) {
      const descriptor = own(key) ?? deny(key);
      if ('value' in descriptor) {
        return descriptor.value;
      }
      return key === 'href' ? deny(key) : inner[key]; // `href` can be set, but not read
    },
    set(_, key, value) {
      if ((key === 'location' || key === 'href') && includes(attributes, key)) {
        inner[key] = value;
        return true;
      }
      return deny(key);
    },
    deleteProperty(_, key) {
      return deny(key);
    },
    ownKeys() {
      const keys = [];
      let n = 0;
      const add = (key) => define(keys, n++, key, true, true, true);
      for (let i = 0; child(i) !== null; i++) {
        add(`${i}`);
      }
      for (let i = 0; i < attributes.length; i++) {
        add(attributes[i]);
      }
      for (let i = 0; i < operations.length; i++) {
        add(operations[i]);
      }
      add('then');
      for (let i = 0; i < readableByAll.length; i++) {
        add(readableByAll[i]);
      }
      return keys;
    },
  };
}

// current()    the other global, if this realm may use it, else null
// view(global) the object that this realm has for a global
// child(index) the proxy for a child, null if there is none
// inner        the object with the members that all origins may use
// own          names of operations that depend on the calling realm
// ownFor(name) such an operation of the other global, called by this realm
export function globalProxy(id, impl, current, view, child, inner, attributes, operations, own, ownFor) {
  const cross = crossOriginTraps(inner, setProto(attributes, null), setProto(operations, null), child);
  setProto(own, null);
  const seen = (value) => (isObject(value) && typeOf(value)?.id === id ? view(value) : value);
  let madeFor;
  let made;
  const seenAt = (other, key, value) => {
    if (typeof value === 'function' && nativeName(value) === key) {
      for (let i = 0; i < own.length; i++) {
        if (own[i] === key) {
          if (madeFor !== other) {
            made = { __proto__: null };
            madeFor = other;
          }
          if (made[key] === undefined) {
            requireStack();
            made[key] = ownFor(key);
          }
          return made[key];
        }
      }
    }
    return seen(value);
  };
  const childAt = (key) => {
    const index = arrayIndex(key);
    return index >= 0 ? child(index) : null;
  };
  const target = create(null);
  const proxy = new ProxyCtor(target, {
    __proto__: null,
    getPrototypeOf() {
      const other = current();
      return other === null ? cross.getPrototypeOf() : getPrototypeOf(other);
    },
    setPrototypeOf(_, proto) {
      const other = current();
      return proto === (other === null ? null : getPrototypeOf(other));
    },
    isExtensible() {
      return true;
    },
    preventExtensions() {
      return false;
    },
    getOwnPropertyDescriptor(_, key) {
      const other = current();
      if (other === null) {
        return cross.getOwnPropertyDescriptor(_, key);
      }
      const found = childAt(key);
      if (found !== null) {
        return { __proto__: null, value: found, writable: false, enumerable: true, configurable: true };
      }
      const descriptor = getOwnPropertyDescriptor(other, key);
      if (descriptor === undefined) {
        return undefined;
      }
      setProto(descriptor, null);
      if ('value' in descriptor) {
        descriptor.value = seenAt(other, key, descriptor.value);
      }
      // the engine compares with the target of the proxy, which has no properties
      descriptor.configurable = true;
      return descriptor;
    },
    defineProperty(_, key, descriptor) {
      const other = current();
      return other === null
        ? cross.defineProperty(_, key)
        : arrayIndex(key) < 0 && reflectDefine(other, key, setProto(descriptor, null));
    },
    has(_, key) {
      const other = current();
      return other === null ? cross.has(_, key) : childAt(key) !== null || reflectHas(other, key);
    },
    get(_, key) {
      const other = current();
      if (other === null) {
        return cross.get(_, key);
      }
      return childAt(key) ?? seenAt(other, key, reflectGet(other, key, other));
    },
    set(_, key, value) {
      const other = current();
      // a navigation by `location` depends on the realm that uses this proxy, as for other origins
      return other === null || key === 'location'
        ? cross.set(_, key, value)
        : arrayIndex(key) < 0 && reflectSet(other, key, value, other);
    },
    deleteProperty(_, key) {
      const other = current();
      return other === null ? cross.deleteProperty(_, key) : childAt(key) === null && reflectDelete(other, key);
    },
    ownKeys() {
      const other = current();
      if (other === null) {
        return cross.ownKeys();
      }
      const keys = [];
      let n = 0;
      for (; child(n) !== null; n++) {
        define(keys, n, `${n}`, true, true, true);
      }
      const names = setProto(ownKeys(other), null);
      for (let i = 0; i < names.length; i++) {
        if (arrayIndex(names[i]) < 0) {
          define(keys, n++, names[i], true, true, true);
        }
      }
      return keys;
    },
  });
  put(proxy, impl, recordOf(id), undefined);
  return proxy;
}

// Returns an object of another origin that is never replaced.
export function crossOriginObject(inner, attributes, operations) {
  return new ProxyCtor(create(null), {
    __proto__: crossOriginTraps(inner, setProto(attributes, null), setProto(operations, null), () => null),
    setPrototypeOf(_, proto) {
      return proto === null;
    },
    isExtensible() {
      return true;
    },
    preventExtensions() {
      return false;
    },
  });
}
