// Conversions: https://webidl.spec.whatwg.org/#js-type-mapping
// A converter takes (value, where) and returns the value for Java.

import {
  abs, apply, BigIntCtor, charCodeAt, create, floor, fround, getOwnPropertyDescriptor, implementing, isObject,
  isWellFormed, iterator, listCopy, newList, NumberCtor, numberIsFinite, numberIsNaN, ownKeys, pow, PromiseCtor,
  requireStack, setProto, sign, tables, toBigInt, toNumber, toWellFormed, typeError, TypeErrorCtor, typeOf, within,
} from './capture.js';
import { bufferConverter, isBufferOf } from './buffers.js';
import { dictionaryTable } from './interfaces.js';

const TWO_53 = 9007199254740991;

// https://webidl.spec.whatwg.org/#abstract-opdef-converttoint, without [EnforceRange] and [Clamp]
export function toInteger(value, bits, signed) {
  let x = toNumber(value);
  if (x === 0 || numberIsNaN(x) || !numberIsFinite(x)) {
    return 0;
  }
  x = sign(x) * floor(abs(x));
  if (bits === 64 && abs(x) > TWO_53) {
    // beyond exact doubles the remainder needs exact arithmetic
    let big = BigIntCtor(x) % 18446744073709551616n;
    if (big < 0n) {
      big += 18446744073709551616n;
    }
    if (signed && big >= 9223372036854775808n) {
      big -= 18446744073709551616n;
    }
    return NumberCtor(big);
  }
  const modulus = pow(2, bits);
  const half = pow(2, bits - 1);
  x = x % modulus;
  if (x < 0 && !(signed && x >= -half)) {
    x += modulus;
  }
  if (signed && x >= half) {
    x -= modulus;
  }
  return x + 0;
}

function lowest(bits, signed) {
  return !signed ? 0 : bits === 64 ? -TWO_53 : -pow(2, bits - 1);
}

function highest(bits, signed) {
  return bits === 64 ? TWO_53 : pow(2, signed ? bits - 1 : bits) - 1;
}

// The same with [EnforceRange].
export function toIntegerInRange(value, bits, signed, where) {
  let x = toNumber(value);
  if (numberIsNaN(x) || !numberIsFinite(x)) {
    throw typeError(where, `${x} is not a finite number`);
  }
  x = sign(x) * floor(abs(x));
  const lower = lowest(bits, signed);
  const upper = highest(bits, signed);
  if (x < lower || x > upper) {
    throw typeError(where, `${x} is outside the range ${lower} to ${upper}`);
  }
  return x + 0;
}

// The same with [Clamp].
export function toClampedInteger(value, bits, signed) {
  let x = toNumber(value);
  if (x === 0 || numberIsNaN(x)) {
    return 0;
  }
  const lower = lowest(bits, signed);
  const upper = highest(bits, signed);
  x = x < lower ? lower : x > upper ? upper : x;
  const down = floor(x);
  const rest = x - down;
  x = rest < 0.5 ? down : rest > 0.5 ? down + 1 : down % 2 === 0 ? down : down + 1;
  return x + 0;
}

const INTEGERS = {
  __proto__: null,
  byte: [8, true],
  octet: [8, false],
  short: [16, true],
  'unsigned short': [16, false],
  long: [32, true],
  'unsigned long': [32, false],
  'long long': [64, true],
  'unsigned long long': [64, false],
};

function integerConverter(bits, signed, mode) {
  return mode === 'EnforceRange'
    ? (value, where) => toIntegerInRange(value, bits, signed, where)
    : mode === 'Clamp'
      ? (value) => toClampedInteger(value, bits, signed)
      : (value) => toInteger(value, bits, signed);
}

export function toDouble(value, where) {
  const x = toNumber(value);
  if (numberIsNaN(x) || !numberIsFinite(x)) {
    throw typeError(where, 'The provided value is not a finite number');
  }
  return x;
}

export function toFloat(value, where) {
  return toDouble(toUnrestrictedFloat(value), where);
}

export function toUnrestrictedFloat(value) {
  return fround(toNumber(value));
}

export function toBigint(value) {
  return toBigInt(TWO_53, value); // only ToBigInt: the width is the largest possible
}

export function toDOMString(value) {
  return typeof value === 'string' ? value : `${value}`;
}

export function toUSVString(value) {
  const string = toDOMString(value);
  return apply(isWellFormed, string, []) ? string : apply(toWellFormed, string, []);
}

export function toByteString(value, where) {
  const string = toDOMString(value);
  for (let i = 0; i < string.length; i++) {
    const code = apply(charCodeAt, string, [i]);
    if (code > 255) {
      throw typeError(where, `The character at index ${i} has value ${code}, above 255`);
    }
  }
  return string;
}

export function toObject(value, where) {
  if (!isObject(value)) {
    throw typeError(where, 'The provided value is not an object');
  }
  return value;
}

export function toSymbol(value, where) {
  if (typeof value !== 'symbol') {
    throw typeError(where, 'The provided value is not a symbol');
  }
  return value;
}

export function toEnum(value, values, name, where) {
  const string = toDOMString(value);
  if (!(string in values)) {
    throw typeError(where, `The provided value '${string}' is not a valid enum value of type ${name}`);
  }
  return string;
}

// https://webidl.spec.whatwg.org/#js-promise
export function toPromise(value) {
  return new PromiseCtor((resolve) => resolve(value));
}

export function notAFunction(where) {
  throw typeError(where, 'The provided value is not a function');
}

export function notOfType(name, where) {
  throw typeError(where, `The provided value is not of type '${name}'`);
}

export function missing(where) {
  return typeError(where, 'Required member is undefined');
}

const SIMPLE = {
  __proto__: null,
  any: (value) => value,
  undefined: () => undefined,
  boolean: (value) => !!value,
  float: toFloat,
  'unrestricted float': toUnrestrictedFloat,
  double: toDouble,
  'unrestricted double': toNumber,
  bigint: toBigint,
  DOMString: toDOMString,
  USVString: toUSVString,
  ByteString: toByteString,
  object: toObject,
  symbol: toSymbol,
};

// Type records of the tables, see TypeTables.java:
//   {k: 'simple', n, mode}  {k: 'nullable', t}  {k: 'interface', id, depth, n}  {k: 'enum', n}
//   {k: 'dictionary', n}  {k: 'callback', n, legacy}  {k: 'callbackInterface', n}
//   {k: 'sequence', t, n}  {k: 'record', key, t}  {k: 'promise', t}  {k: 'union', types}
//   {k: 'buffer', n}
export function compile(type) {
  switch (type.k) {
    case 'simple': {
      const integer = INTEGERS[type.n];
      if (integer !== undefined) {
        return integerConverter(integer[0], integer[1], type.mode);
      }
      if (type.mode === 'LegacyNullToEmptyString') {
        const convert = SIMPLE[type.n];
        return (value, where) => (value === null ? '' : convert(value, where));
      }
      return SIMPLE[type.n];
    }
    case 'nullable': {
      const convert = compile(type.t);
      return (value, where, given) => (value === null || value === undefined ? null : convert(value, where, given));
    }
    case 'interface':
      return (value, where) => implementing(value, type.depth, type.id) ?? notOfType(type.n, where);
    case 'enum':
      return (value, where) => toEnum(value, tables.enums[type.n], type.n, where);
    case 'dictionary':
      return dictionaryConverter(type.n);
    case 'callback':
      return type.legacy
        ? (value) => (isObject(value) ? value : null)
        : (value, where) => (typeof value === 'function' ? value : notAFunction(where));
    case 'callbackInterface':
      return toObject;
    case 'sequence':
      return sequenceConverter(type);
    case 'record':
      return recordConverter(type);
    case 'promise':
      return toPromise;
    case 'union':
      return unionConverter(type);
    case 'buffer':
      return bufferConverter(type);
    default:
      throw new TypeErrorCtor(`no conversion for types of kind ${type.k}`);
  }
}

// Returns the converter of a type for generated code, which keeps it.
export function converter(type) {
  requireStack();
  return compile(type);
}

const dictionaries = { __proto__: null };

// Compiled once, at the first use: dictionaries may refer to each other.
export function dictionary(name) {
  let compiled = dictionaries[name];
  if (compiled === undefined) {
    requireStack();
    compiled = { __proto__: null, name, members: setProto(dictionaryTable(name), null), convert: newList(), texts: newList() };
    for (let i = 0; i < compiled.members.length; i++) {
      const member = compiled.members[i];
      compiled.convert[i] = compile(member.type);
      compiled.texts[i] = `Failed to read the '${member.name}' property from '${member.owner}'`;
    }
    dictionaries[name] = compiled;
  }
  return compiled;
}

const noMembers = create(null);

// Returns the object from which the members of a dictionary are read.
export function toDictionary(value, name, where) {
  return value === undefined || value === null ? noMembers : isObject(value) ? value : notOfType(name, where);
}

// https://webidl.spec.whatwg.org/#js-to-dictionary
// Puts the members, in conversion order, into `list` from `at` on; undefined is "not present".
export function convertDictionary(compiled, value, where, list, at) {
  const from = toDictionary(value, compiled.name, where);
  const { members, convert, texts } = compiled;
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    const given = from[member.name];
    if (given !== undefined) {
      list[at + i] = convert[i](given, within(where, texts[i]));
    } else if (member.required) {
      throw missing(within(where, texts[i]));
    } else {
      list[at + i] = defaultOf(member, convert[i], where);
    }
  }
}

// Returns the default value of a dictionary member, for Java; undefined for none.
function defaultOf(item, convert, where) {
  const value = item.default;
  if (value === tables.emptyDictionary) {
    return convert(undefined, where); // a dictionary, perhaps in a union: all members by default
  }
  return value === tables.emptyList ? newList() : value;
}

function dictionaryConverter(name) {
  let compiled;
  return (value, where) => {
    compiled ??= dictionary(name);
    const list = newList();
    convertDictionary(compiled, value, where, list, 0);
    return list;
  };
}

// https://webidl.spec.whatwg.org/#js-sequence
function sequenceConverter(type) {
  let convert;
  // `given` is the @@iterator method, where a union or an overload has read it already
  return (value, where, given) => {
    if (!isObject(value)) {
      throw typeError(where, 'The provided value cannot be converted to a sequence');
    }
    const method = given ?? value[iterator];
    if (method === undefined || method === null) {
      throw typeError(where, 'The object must have a callable @@iterator property');
    }
    return iterate(value, method, (convert ??= compile(type.t)), where);
  };
}

// https://webidl.spec.whatwg.org/#create-sequence-from-iterable
function iterate(value, method, convert, where) {
  if (typeof method !== 'function') {
    throw typeError(where, 'The object must have a callable @@iterator property');
  }
  const iter = apply(method, value, []);
  if (!isObject(iter)) {
    throw typeError(where, 'Result of the Symbol.iterator method is not an object');
  }
  const next = iter.next;
  const list = newList();
  while (true) {
    const result = apply(next, iter, []);
    if (!isObject(result)) {
      throw typeError(where, 'Iterator result is not an object');
    }
    if (result.done) {
      return list;
    }
    list[list.length] = convert(result.value, where);
  }
}

// https://webidl.spec.whatwg.org/#js-record: a flat list of keys and values
function recordConverter(type) {
  const convertKey = compile(type.key);
  let convert;
  return function toRecord(value, where) {
    if (!isObject(value)) {
      throw typeError(where, 'The provided value is not an object');
    }
    convert ??= compile(type.t);
    const list = newList();
    const keys = setProto(ownKeys(value), null);
    let collide = false;
    for (let i = 0; i < keys.length; i++) {
      const descriptor = getOwnPropertyDescriptor(value, keys[i]);
      if (descriptor !== undefined && descriptor.enumerable) {
        const key = convertKey(keys[i], where);
        const item = convert(value[keys[i]], where);
        // two keys can become equal only by a conversion
        collide ||= key !== keys[i];
        const at = collide ? indexOfKey(list, key) : list.length;
        list[at] = key;
        list[at + 1] = item;
      }
    }
    return list;
  };
}

// Returns the index of a key in a flat list of keys and values, or the end of the list.
function indexOfKey(list, key) {
  let at = 0;
  while (at < list.length && list[at] !== key) {
    at += 2;
  }
  return at;
}

// https://tc39.es/ecma262/#sec-tonumeric: the postfix operator returns the old value
function toNumeric(value) {
  let numeric = value;
  return numeric++;
}

// https://webidl.spec.whatwg.org/#js-union, for the flattened member types
function unionConverter(type) {
  const types = listCopy(type.types);
  let converters;
  const find = (kind, test) => {
    for (let i = 0; i < types.length; i++) {
      if (types[i].k === kind && (test === undefined || test(types[i]))) {
        return converters[i];
      }
    }
    return undefined;
  };
  const isNumeric = (t) => t.n in INTEGERS || t.n === 'double' || t.n === 'float' || t.n === 'unrestricted double' || t.n === 'unrestricted float';
  const isString = (t) => t.n === 'DOMString' || t.n === 'USVString' || t.n === 'ByteString';
  return (value, where, given) => { // `given` as for sequences
    if (converters === undefined) {
      const compiled = newList();
      for (let i = 0; i < types.length; i++) {
        compiled[i] = compile(types[i]);
      }
      converters = compiled;
    }
    let chosen;
    if (value === undefined && find('simple', (t) => t.n === 'undefined') !== undefined) {
      return undefined;
    }
    if (value === null || value === undefined) {
      if (type.nullable) {
        return null;
      }
      chosen = find('dictionary');
      if (chosen !== undefined) {
        return chosen(value, where);
      }
    }
    if (isObject(value)) {
      const record = typeOf(value);
      if (record !== undefined) {
        chosen = find('interface', (t) => record.chain[t.depth] === t.id);
        if (chosen !== undefined) {
          return chosen(value, where);
        }
      }
      if (find('buffer') !== undefined) {
        for (let i = 0; i < types.length; i++) {
          if (types[i].k === 'buffer' && isBufferOf(types[i].n, value)) {
            return converters[i](value, where);
          }
        }
      }
      if (typeof value === 'function' && (chosen = find('callback')) !== undefined) {
        return chosen(value, where);
      }
      chosen = find('sequence');
      if (chosen !== undefined) {
        const method = given ?? value[iterator];
        if (method !== undefined && method !== null) {
          return chosen(value, where, method);
        }
      }
      chosen = find('dictionary') ?? find('record') ?? find('callbackInterface') ?? find('simple', (t) => t.n === 'object' || t.n === 'any');
      if (chosen !== undefined) {
        return chosen(value, where);
      }
    }
    if (typeof value === 'boolean' && (chosen = find('simple', (t) => t.n === 'boolean')) !== undefined) {
      return chosen(value, where);
    }
    if (typeof value === 'number' && (chosen = find('simple', isNumeric)) !== undefined) {
      return chosen(value, where);
    }
    if (typeof value === 'bigint' && (chosen = find('simple', (t) => t.n === 'bigint')) !== undefined) {
      return chosen(value, where);
    }
    chosen = find('simple', isString) ?? find('enum');
    if (chosen !== undefined) {
      return chosen(value, where);
    }
    const asNumber = find('simple', isNumeric);
    const asBigInt = find('simple', (t) => t.n === 'bigint');
    if (asNumber !== undefined && asBigInt !== undefined) {
      const numeric = toNumeric(value);
      return (typeof numeric === 'bigint' ? asBigInt : asNumber)(numeric, where);
    }
    chosen = asNumber ?? find('simple', (t) => t.n === 'boolean') ?? asBigInt;
    if (chosen !== undefined) {
      return chosen(value, where);
    }
    throw typeError(where, 'The provided value is not of any of the expected types');
  };
}
