// Iterable, maplike and setlike declarations.

import {
  apply, ArrayCtor, backingOf, create, define, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, global,
  implOf, isObject, iterator, native, newList, put, setProto, toStringTag, TypeErrorCtor, typeOf,
} from './capture.js';
import { getterOf } from './buffers.js';
import { compile } from './conversions.js';
import { callSeam, receiver, tooFewArguments } from './operations.js';
import { includes } from './legacy-objects.js';

const IteratorProto = getPrototypeOf(getPrototypeOf(new ArrayCtor()[iterator]()));
const MapCtor = Map;
const SetCtor = Set;
const { get: mapGet, has: mapHas, set: mapSet, delete: mapDelete, clear: mapClear, forEach: mapForEach } = Map.prototype;
const { entries: mapEntries, keys: mapKeys, values: mapValues } = Map.prototype;
const { has: setHas, add: setAdd, delete: setDelete, clear: setClear, forEach: setForEach } = Set.prototype;
const { entries: setEntries, values: setValues } = Set.prototype;
const mapSize = getterOf(Map.prototype, 'size');
const setSize = getterOf(Set.prototype, 'size');
// Names are iterated by index: for `for (… in …)` the engine uses a protocol that pages can
// replace.
const ARRAY_METHODS = ['entries', 'keys', 'values', 'forEach'];
const ArrayMethods = { __proto__: null, entries: Array.prototype.entries, keys: Array.prototype.keys, values: Array.prototype.values, forEach: Array.prototype.forEach };

export function newMap() {
  return new MapCtor();
}

export function newSet() {
  return new SetCtor();
}

function addMethod(target, name, fn, length) {
  define(target, name, native(fn, name, length), true, true, true);
}

// Adds the methods that an interface does not declare itself.
function addMissing(target, methods, own, names, lengths) {
  setProto(own, null);
  for (let i = 0; i < names.length; i++) {
    if (!includes(own, names[i])) {
      addMethod(target, names[i], methods[names[i]], lengths[i]);
    }
  }
}

// https://webidl.spec.whatwg.org/#define-the-iteration-methods
export function installIteration(record, target, code) {
  if (code.legacy !== null && code.legacy.indexed !== null) {
    define(target, iterator, ArrayMethods.values, false, true, true);
  }
  if (code.valueIterator) {
    for (let i = 0; i < ARRAY_METHODS.length; i++) {
      define(target, ARRAY_METHODS[i], ArrayMethods[ARRAY_METHODS[i]], true, true, true);
    }
  } else if (code.pairs >= 0) {
    installPairIterator(record, target, code.pairs);
  } else if (code.maplike !== null) {
    installMaplike(record, target, code.maplike);
  } else if (code.setlike !== null) {
    installSetlike(record, target, code.setlike);
  }
}

function callbackOf(value, label) {
  if (typeof value !== 'function') {
    throw new TypeErrorCtor(`${label}: parameter 1 ('callback'): The provided value is not a function`);
  }
  return value;
}

function requireArguments(given, count, label) {
  if (given.length < count) {
    throw tooFewArguments(label, count, given.length);
  }
}

// `at` is the member of Java that returns key and value of an index, or null after the last.
function installPairIterator(record, target, at) {
  const label = (name) => `Failed to execute '${name}' on '${record.name}'`;
  // https://webidl.spec.whatwg.org/#js-default-iterator-object
  const prototype = create(IteratorProto);
  const kind = { __proto__: null, chain: newList(), iterates: record.id };
  const makeIterator = (impl, kindOfValue) => {
    const object = create(prototype);
    put(object, impl, kind, { __proto__: null, index: 0, kind: kindOfValue });
    return object;
  };
  // https://webidl.spec.whatwg.org/#js-iterator-prototype-object
  const { next } = {
    next() {
      const type = typeOf(this);
      if (type === undefined || type.iterates !== record.id) {
        throw new TypeErrorCtor(`Failed to execute 'next' on '${record.name} Iterator': 'this' is not of type '${record.name} Iterator'`);
      }
      const state = backingOf(this);
      const pair = callSeam(at, implOf(this), state.index);
      if (pair === null) {
        return { value: undefined, done: true };
      }
      state.index++;
      return { value: state.kind === 'both' ? pair : pair[state.kind === 'key' ? 0 : 1], done: false };
    },
  };
  addMethod(prototype, 'next', next, 0);
  define(prototype, toStringTag, `${record.name} Iterator`, false, false, true);
  const methods = {
    entries() { return makeIterator(receiver(record, this, label('entries')), 'both'); },
    keys() { return makeIterator(receiver(record, this, label('keys')), 'key'); },
    values() { return makeIterator(receiver(record, this, label('values')), 'value'); },
    forEach(callback) {
      const impl = receiver(record, this, label('forEach'));
      requireArguments(arguments, 1, label('forEach'));
      const fn = callbackOf(callback, label('forEach'));
      const thisArgument = arguments.length > 1 ? arguments[1] : undefined; // not from Object.prototype
      for (let i = 0; ; i++) {
        const pair = callSeam(at, impl, i);
        if (pair === null) {
          return;
        }
        apply(fn, thisArgument, [pair[1], pair[0], this]);
      }
    },
  };
  define(target, iterator, methods.entries, false, true, true);
  addMethod(target, 'entries', methods.entries, 0);
  addMethod(target, 'keys', methods.keys, 0);
  addMethod(target, 'values', methods.values, 0);
  addMethod(target, 'forEach', methods.forEach, 1);
}

// Returns the converter for values of the collection: objects stay as they are, others are
// converted.
function entryConverter(type) {
  const convert = compile(type);
  return (value, where) => {
    const converted = convert(value, where);
    return isObject(value) && type.k !== 'simple' && type.k !== 'enum' ? value : converted === 0 ? 0 : converted;
  };
}

function sizeGetter(record, target, size) {
  const accessor = { get size() { return apply(size, backing(record, this, `Failed to read the 'size' property from '${record.name}'`), []); } };
  defineProperty(target, 'size', {
    __proto__: null,
    get: native(getOwnPropertyDescriptor(accessor, 'size').get, 'get size', 0),
    set: undefined,
    enumerable: true,
    configurable: true,
  });
}

function backing(record, value, label) {
  receiver(record, value, label);
  return backingOf(value === undefined || value === null ? global : value);
}

function forEachOf(record, forEach) {
  const label = `Failed to execute 'forEach' on '${record.name}'`;
  return {
    forEach(callback) {
      const entries = backing(record, this, label);
      requireArguments(arguments, 1, label);
      const fn = callbackOf(callback, label);
      const thisArgument = arguments.length > 1 ? arguments[1] : undefined;
      const self = this;
      apply(forEach, entries, [(value, key) => { apply(fn, thisArgument, [value, key, self]); }]);
    },
  }.forEach;
}

// https://webidl.spec.whatwg.org/#js-maplike
function installMaplike(record, target, { key, value, readOnly, own }) {
  const label = (name) => `Failed to execute '${name}' on '${record.name}'`;
  const where = (name, i, what) => `${label(name)}: parameter ${i} ('${what}')`;
  const toKey = entryConverter(key);
  const toValue = entryConverter(value);
  const methods = {
    entries() { return apply(mapEntries, backing(record, this, label('entries')), []); },
    keys() { return apply(mapKeys, backing(record, this, label('keys')), []); },
    values() { return apply(mapValues, backing(record, this, label('values')), []); },
    get(key) {
      const map = backing(record, this, label('get'));
      requireArguments(arguments, 1, label('get'));
      return apply(mapGet, map, [toKey(key, where('get', 1, 'key'))]);
    },
    has(key) {
      const map = backing(record, this, label('has'));
      requireArguments(arguments, 1, label('has'));
      return apply(mapHas, map, [toKey(key, where('has', 1, 'key'))]);
    },
    set(key, value) {
      const map = backing(record, this, label('set'));
      requireArguments(arguments, 2, label('set'));
      const newKey = toKey(key, where('set', 1, 'key'));
      apply(mapSet, map, [newKey, toValue(value, where('set', 2, 'value'))]);
      return this;
    },
    delete(key) {
      const map = backing(record, this, label('delete'));
      requireArguments(arguments, 1, label('delete'));
      return apply(mapDelete, map, [toKey(key, where('delete', 1, 'key'))]);
    },
    clear() { apply(mapClear, backing(record, this, label('clear')), []); },
  };
  sizeGetter(record, target, mapSize);
  define(target, iterator, methods.entries, false, true, true);
  addMethod(target, 'entries', methods.entries, 0);
  addMethod(target, 'keys', methods.keys, 0);
  addMethod(target, 'values', methods.values, 0);
  addMethod(target, 'forEach', forEachOf(record, mapForEach), 1);
  addMethod(target, 'get', methods.get, 1);
  addMethod(target, 'has', methods.has, 1);
  if (!readOnly) {
    addMissing(target, methods, own, ['set', 'delete', 'clear'], [2, 1, 0]);
  }
}

// https://webidl.spec.whatwg.org/#js-setlike
function installSetlike(record, target, { value, readOnly, own }) {
  const label = (name) => `Failed to execute '${name}' on '${record.name}'`;
  const where = (name) => `${label(name)}: parameter 1 ('value')`;
  const toValue = entryConverter(value);
  const methods = {
    entries() { return apply(setEntries, backing(record, this, label('entries')), []); },
    values() { return apply(setValues, backing(record, this, label('values')), []); },
    has(value) {
      const set = backing(record, this, label('has'));
      requireArguments(arguments, 1, label('has'));
      return apply(setHas, set, [toValue(value, where('has'))]);
    },
    add(value) {
      const set = backing(record, this, label('add'));
      requireArguments(arguments, 1, label('add'));
      apply(setAdd, set, [toValue(value, where('add'))]);
      return this;
    },
    delete(value) {
      const set = backing(record, this, label('delete'));
      requireArguments(arguments, 1, label('delete'));
      return apply(setDelete, set, [toValue(value, where('delete'))]);
    },
    clear() { apply(setClear, backing(record, this, label('clear')), []); },
  };
  sizeGetter(record, target, setSize);
  addMethod(target, 'values', methods.values, 0);
  define(target, iterator, methods.values, false, true, true);
  define(target, 'keys', methods.values, true, true, true);
  addMethod(target, 'entries', methods.entries, 0);
  addMethod(target, 'forEach', forEachOf(record, setForEach), 1);
  addMethod(target, 'has', methods.has, 1);
  if (!readOnly) {
    addMissing(target, methods, own, ['add', 'delete', 'clear'], [1, 1, 0]);
  }
}
