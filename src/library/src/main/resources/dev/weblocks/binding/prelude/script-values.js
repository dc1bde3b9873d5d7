// Values that Java makes or examines.

import {
  apply, arrayMap, create, define, ErrorCtor, freeze, guarded, isImmutablePrototype, jsonParse, jsonStringify,
  native, nativeName, newList, ProxyCtor, RangeErrorCtor, TypeErrorCtor,
} from './capture.js';
import { dictionary } from './conversions.js';

// Returns a function that makes a dictionary out of the values from an index on. Dictionaries with
// three members, such as LockInfo, are made by the thousand, so they have a fast path.
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

function newArray() {
  const list = [];
  for (let i = 0; i < arguments.length; i++) {
    define(list, i, arguments[i], true, true, true);
  }
  return list;
}

// The functions for ScriptValues.java.
export const scriptValues = {
  __proto__: null,

  exception(kind, message) {
    return kind === 'TypeError' ? new TypeErrorCtor(message) : kind === 'RangeError' ? new RangeErrorCtor(message) : new ErrorCtor(message);
  },

  newDictionary(name) {
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

  // Keeps the members of many dictionaries, which follow the name, for `newDictionaries`. All are
  // strings; null means the same value as in the dictionary before.
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

  // Returns a new array of new dictionaries. map() makes the array, since it runs no code of a
  // page.
  newDictionaries(prepared) {
    return apply(arrayMap, prepared.starts, [prepared.make]);
  },

  newArray,

  // https://webidl.spec.whatwg.org/#js-frozen-array
  frozenArray() {
    return freeze(apply(newArray, undefined, arguments)); // an array that becomes frozen in steps is not frozen for GraalJS 24.2
  },

  isUndefined(value) {
    return value === undefined;
  },

  // Returns whether a value is an interface object or the named properties object: proxies that
  // script cannot distinguish from ordinary objects.
  isOurs(value) {
    return typeof value === 'function' ? nativeName(value) !== undefined : isImmutablePrototype(value);
  },

  // Returns a proxy, whose meta-object is that of all proxies.
  someProxy() {
    return new ProxyCtor(create(null), { __proto__: null });
  },

  // Makes a function look native.
  native,

  // Java wraps its functions for internal scripts with this.
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
