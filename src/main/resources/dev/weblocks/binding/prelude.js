// The JavaScript half of the Web IDL binding: evaluated once per realm, before any page script.
// It interprets tables that are made from IDL; nothing in it knows an interface by name.
//
// A hostile page may replace every built-in and every prototype property later. So all built-ins
// are captured here, and at run time this code iterates nothing by protocol, appends to no array
// that has a prototype, and passes only null-prototype property descriptors.
//
// kit     what agent-kit.js made, shared by the realms of the agent
// seam    the one way into Java: seam(member id, implementation of `this`, converted arguments…)
// failure seam returns this very object when Java threw; takeFailure() then gives the JS value
// tables  interface, dictionary, enum and callback tables of this kind of global
(function (kit, seam, failure, takeFailure, tables) {
  'use strict';

  const global = globalThis;
  const { apply, construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const reflectDefine = Reflect.defineProperty;
  const { get: reflectGet, set: reflectSet, has: reflectHas, deleteProperty: reflectDelete } = Reflect;
  const ProxyCtor = Proxy;
  const setProto = Object.setPrototypeOf;
  const { create, defineProperty } = Object;
  const ErrorCtor = Error;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const PromiseCtor = Promise;
  const promiseThen = Promise.prototype.then;
  const { iterator, toStringTag } = Symbol;
  const { floor, ceil, abs, sign, pow, fround } = Math;
  const NumberCtor = Number;
  const BigIntCtor = BigInt;
  const toBigInt = BigInt.asIntN;
  const toNumber = (value) => +value;
  const { isFinite: numberIsFinite, isNaN: numberIsNaN } = Number;
  const functionToString = Function.prototype.toString;
  const isWellFormed = String.prototype.isWellFormed;
  const toWellFormed = String.prototype.toWellFormed;
  const charCodeAt = String.prototype.charCodeAt;
  const slice = String.prototype.slice;
  const indexOf = String.prototype.indexOf;
  const isView = ArrayBuffer.isView;
  const { isError } = Error;
  const jsonParse = JSON.parse;
  const symbolToString = Symbol.prototype.toString;
  const { put, implOf, typeOf, markNative, nativeName, rememberRecords, recordsByArrayPrototype } = kit;
  const ArrayCtor = Array;

  // An array that no page can reach through its prototype.
  function newList() {
    return setProto([], null);
  }

  function define(object, key, value, enumerable, writable, configurable) {
    defineProperty(object, key, { __proto__: null, value, enumerable, writable, configurable });
  }

  function native(fn, name, length) {
    define(fn, 'length', length, false, false, true);
    markNative(fn, name);
    return fn;
  }

  function isObject(value) {
    return (typeof value === 'object' && value !== null) || typeof value === 'function';
  }

  // ---------------------------------------------------------------------------------------------
  // Errors. `where` says what is being done, as a linked list of texts from the outside in, so that
  // nothing is concatenated unless it goes wrong.

  function describe(where, text) {
    let message = text;
    for (let at = where; at !== null; at = at.outer) {
      message = `${at.text}: ${message}`;
    }
    return message;
  }

  function typeError(where, text) {
    return new TypeErrorCtor(describe(where, text));
  }

  function within(outer, text) {
    return { __proto__: null, outer, text };
  }

  function rejected(reason) {
    return new PromiseCtor((resolve, reject) => reject(reason));
  }

  // ---------------------------------------------------------------------------------------------
  // Conversions: https://webidl.spec.whatwg.org/#js-type-mapping
  // A converter takes (value, where) and returns what Java gets.

  const TWO_53 = 9007199254740991;

  // https://webidl.spec.whatwg.org/#abstract-opdef-converttoint
  function integerConverter(bits, signed, mode) {
    let upper;
    let lower;
    if (bits === 64) {
      upper = TWO_53;
      lower = signed ? -TWO_53 : 0;
    } else if (signed) {
      lower = -pow(2, bits - 1);
      upper = pow(2, bits - 1) - 1;
    } else {
      lower = 0;
      upper = pow(2, bits) - 1;
    }
    const modulus = pow(2, bits);
    const half = pow(2, bits - 1);
    return (value, where) => {
      let x = toNumber(value);
      if (x === 0) {
        return 0;
      }
      if (mode === 'EnforceRange') {
        if (numberIsNaN(x) || !numberIsFinite(x)) {
          throw typeError(where, `${x} is not a finite number`);
        }
        x = sign(x) * floor(abs(x));
        if (x < lower || x > upper) {
          throw typeError(where, `${x} is outside the range ${lower} to ${upper}`);
        }
        return x + 0;
      }
      if (numberIsNaN(x)) {
        return 0;
      }
      if (mode === 'Clamp') {
        x = x < lower ? lower : x > upper ? upper : x;
        const down = floor(x);
        const rest = x - down;
        x = rest < 0.5 ? down : rest > 0.5 ? down + 1 : down % 2 === 0 ? down : down + 1;
        return x + 0;
      }
      if (!numberIsFinite(x)) {
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
      x = x % modulus;
      if (x < 0 && !(signed && x >= -half)) {
        x += modulus;
      }
      if (signed && x >= half) {
        x -= modulus;
      }
      return x + 0;
    };
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

  function floatConverter(single, unrestricted) {
    return (value, where) => {
      const x = toNumber(value);
      const y = single ? fround(x) : x;
      if (!unrestricted && (numberIsNaN(y) || !numberIsFinite(y))) {
        throw typeError(where, 'The provided value is not a finite number');
      }
      return y;
    };
  }

  function toDOMString(value) {
    return typeof value === 'string' ? value : `${value}`;
  }

  function toUSVString(value) {
    const string = toDOMString(value);
    return apply(isWellFormed, string, []) ? string : apply(toWellFormed, string, []);
  }

  function toByteString(value, where) {
    const string = toDOMString(value);
    for (let i = 0; i < string.length; i++) {
      const code = apply(charCodeAt, string, [i]);
      if (code > 255) {
        throw typeError(where, `The character at index ${i} has value ${code}, above 255`);
      }
    }
    return string;
  }

  const SIMPLE = {
    __proto__: null,
    any: (value) => value,
    undefined: () => undefined,
    boolean: (value) => !!value,
    float: floatConverter(true, false),
    'unrestricted float': floatConverter(true, true),
    double: floatConverter(false, false),
    'unrestricted double': floatConverter(false, true),
    bigint: (value) => toBigInt(TWO_53, value), // as far as ToBigInt: the width is the largest there is
    DOMString: toDOMString,
    USVString: toUSVString,
    ByteString: toByteString,
    object(value, where) {
      if (!isObject(value)) {
        throw typeError(where, 'The provided value is not an object');
      }
      return value;
    },
    symbol(value, where) {
      if (typeof value !== 'symbol') {
        throw typeError(where, 'The provided value is not a symbol');
      }
      return value;
    },
  };

  // Type records of the tables, see TypeTables.java:
  //   {k: 'simple', n, mode}  {k: 'nullable', t}  {k: 'interface', id, depth, n}  {k: 'enum', n}
  //   {k: 'dictionary', n}  {k: 'callback', n, legacy}  {k: 'callbackInterface', n}
  //   {k: 'sequence', t, n}  {k: 'record', key, t}  {k: 'promise', t}  {k: 'union', types}
  //   {k: 'buffer', n}
  function compile(type) {
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
        return (value, where) => (value === null || value === undefined ? null : convert(value, where));
      }
      case 'interface':
        return (value, where) => {
          const record = typeOf(value);
          if (record === undefined || record.chain[type.depth] !== type.id) {
            throw typeError(where, `The provided value is not of type '${type.n}'`);
          }
          return implOf(value);
        };
      case 'enum':
        return enumConverter(type.n, tables.enums[type.n]);
      case 'dictionary':
        return dictionaryConverter(type.n);
      case 'callback':
        return type.legacy
          ? (value) => (isObject(value) ? value : null)
          : (value, where) => {
              if (typeof value !== 'function') {
                throw typeError(where, 'The provided value is not a function');
              }
              return value;
            };
      case 'callbackInterface':
        return SIMPLE.object;
      case 'sequence':
        return sequenceConverter(type);
      case 'record':
        return recordConverter(type);
      case 'promise':
        return (value) => new PromiseCtor((resolve) => resolve(value));
      case 'union':
        return unionConverter(type);
      case 'buffer':
        return bufferConverter(type);
      default:
        throw new TypeErrorCtor(`no conversion for types of kind ${type.k}`);
    }
  }

  function enumConverter(name, values) {
    return (value, where) => {
      const string = toDOMString(value);
      if (!(string in values)) {
        throw typeError(where, `The provided value '${string}' is not a valid enum value of type ${name}`);
      }
      return string;
    };
  }

  const dictionaries = { __proto__: null };

  // Compiled once, at the first use: dictionaries may refer to each other.
  function dictionary(name) {
    let compiled = dictionaries[name];
    if (compiled === undefined) {
      compiled = { __proto__: null, name, members: setProto(tables.dictionaries[name], null), convert: newList(), texts: newList() };
      dictionaries[name] = compiled;
      for (let i = 0; i < compiled.members.length; i++) {
        const member = compiled.members[i];
        compiled.convert[i] = compile(member.type);
        compiled.texts[i] = `Failed to read the '${member.name}' property from '${member.owner}'`;
      }
    }
    return compiled;
  }

  // https://webidl.spec.whatwg.org/#js-to-dictionary
  // Puts the members, in conversion order, into `list` from its end on; undefined is "not present".
  function convertDictionary(compiled, value, where, list) {
    if (value !== undefined && value !== null && !isObject(value)) {
      throw typeError(where, `The provided value is not of type '${compiled.name}'`);
    }
    const absent = value === undefined || value === null;
    const { members, convert, texts } = compiled;
    for (let i = 0; i < members.length; i++) {
      const member = members[i];
      const given = absent ? undefined : value[member.name];
      if (given !== undefined) {
        list[list.length] = convert[i](given, within(where, texts[i]));
      } else if (member.required) {
        throw typeError(within(where, texts[i]), 'Required member is undefined');
      } else {
        list[list.length] = defaultOf(member, convert[i], where);
      }
    }
  }

  // The default value of an argument or dictionary member, as Java gets it; undefined for none.
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
      convertDictionary(compiled, value, where, list);
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
    return (value, where) => {
      if (!isObject(value)) {
        throw typeError(where, 'The provided value is not an object');
      }
      convert ??= compile(type.t);
      const list = newList();
      const keys = setProto(ownKeys(value), null);
      for (let i = 0; i < keys.length; i++) {
        const descriptor = getOwnPropertyDescriptor(value, keys[i]);
        if (descriptor !== undefined && descriptor.enumerable) {
          const key = convertKey(keys[i], where);
          list[list.length] = key;
          list[list.length] = convert(value[keys[i]], where);
        }
      }
      return list;
    };
  }

  // https://webidl.spec.whatwg.org/#js-union, for the flattened member types
  function unionConverter(type) {
    const types = setProto(type.types, null);
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
    return (value, where) => {
      if (converters === undefined) {
        converters = newList();
        for (let i = 0; i < types.length; i++) {
          converters[i] = compile(types[i]);
        }
      }
      let chosen;
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
          const method = value[iterator];
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
      chosen = find('simple', isString) ?? find('enum') ?? find('simple', isNumeric) ?? find('simple', (t) => t.n === 'boolean') ?? find('simple', (t) => t.n === 'any');
      if (chosen !== undefined) {
        return chosen(value, where);
      }
      throw typeError(where, 'The provided value is not of any of the expected types');
    };
  }

  const bufferByteLength = getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;
  const typedArrayTag = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), toStringTag).get;

  function isBufferOf(name, value) {
    if (name === 'ArrayBuffer') {
      try {
        apply(bufferByteLength, value, []);
        return true;
      } catch {
        return false;
      }
    }
    if (name === 'ArrayBufferView') {
      return isView(value);
    }
    const tag = isView(value) ? apply(typedArrayTag, value, []) : undefined;
    return name === 'DataView' ? isView(value) && tag === undefined : tag === name;
  }

  function bufferConverter(type) {
    return (value, where) => {
      if (!isObject(value) || !isBufferOf(type.n, value)) {
        throw typeError(where, `The provided value is not of type '${type.n}'`);
      }
      return value;
    };
  }

  // ---------------------------------------------------------------------------------------------
  // Operations

  // Everything of a callable member that does not change from call to call.
  function compileOverload(overload, label) {
    const args = setProto(overload.args, null);
    const compiled = { __proto__: null, id: overload.id, args, required: 0, convert: newList(), where: newList() };
    for (let i = 0; i < args.length; i++) {
      const arg = args[i];
      if (!arg.optional && !arg.variadic) {
        compiled.required = i + 1;
      }
      compiled.where[i] = within(null, `${label}: parameter ${i + 1} ('${arg.name}')`);
      compiled.convert[i] = arg.type.k === 'dictionary' ? null : compile(arg.type);
    }
    return compiled;
  }

  // Converts the arguments from index `from` on and appends them to `list`. `method` is the
  // @@iterator method of the first of them, if overload resolution has read it.
  function convertArguments(overload, list, given, from, method) {
    const { args, convert, where } = overload;
    for (let i = from < args.length ? from : args.length - 1; i >= 0 && i < args.length; i++) {
      const arg = args[i];
      if (arg.variadic) {
        for (let j = i < from ? from : i; j < given.length; j++) {
          list[list.length] = convert[i](given[j], where[i], j === from ? method : undefined);
        }
        break;
      }
      convertArgument(overload, i, i < given.length ? given[i] : undefined, list, i === from ? method : undefined);
    }
    return list;
  }

  function convertArgument({ args, convert, where }, i, value, list, method) {
    const arg = args[i];
    if (convert[i] === null) {
      convertDictionary(dictionary(arg.type.n), value, where[i], list);
    } else if (value === undefined && arg.optional) {
      list[list.length] = defaultOf(arg, convert[i], where[i]);
    } else {
      list[list.length] = convert[i](value, where[i], method);
    }
  }

  // The seam lets no exception out. If one comes, the stack was too small to get into Java.
  function callJava(list) {
    let result;
    try {
      result = apply(seam, undefined, list);
    } catch {
      throw stackOverflow();
    }
    if (result === failure) {
      throw takeFailure();
    }
    return result;
  }

  function callSeam(id, impl, argument) {
    let result;
    try {
      result = seam(id, impl, argument);
    } catch {
      throw stackOverflow();
    }
    if (result === failure) {
      throw takeFailure();
    }
    return result;
  }

  function stackOverflow() {
    return new RangeErrorCtor('Maximum call stack size exceeded');
  }

  // https://webidl.spec.whatwg.org/#dfn-overload-resolution-algorithm
  // Returns the converted arguments, behind `self` and the number of the overload.
  function resolveOverload(overloads, self, given, label) {
    const list = newList();
    list[1] = self;
    const count = given.length < overloads.max ? given.length : overloads.max;
    const candidates = overloads.byCount[count];
    const first = overloads.compiled[candidates.of[0]];
    if (candidates.of.length === 1) {
      list[0] = first.id;
      return convertArguments(first, list, given, 0, undefined);
    }
    // what lies before the distinguishing argument has the same types in all candidates
    list[0] = -1;
    for (let i = 0; i < candidates.at; i++) {
      convertArgument(first, first.args[i] === undefined ? first.args.length - 1 : i, given[i], list, undefined);
    }
    const value = given[candidates.at];
    let method;
    const pick = (test) => {
      for (let i = 0; i < candidates.of.length; i++) {
        const overload = overloads.compiled[candidates.of[i]];
        const arg = overload.args[candidates.at < overload.args.length ? candidates.at : overload.args.length - 1];
        const type = arg.type;
        const inner = type.k === 'nullable' ? type.t : type;
        const types = inner.k === 'union' ? inner.types : [type, inner];
        if (inner !== type && test(type, arg)) {
          return overload;
        }
        for (let j = 0; j < types.length; j++) {
          if (test(types[j], arg)) {
            return overload;
          }
        }
      }
      return undefined;
    };
    let found;
    if (value === undefined) {
      found = pick((type, arg) => arg.optional);
    }
    if (found === undefined && (value === undefined || value === null)) {
      found = pick((type) => type.k === 'nullable' || type.k === 'dictionary' || type.nullable === true);
    }
    if (found === undefined && isObject(value)) {
      const record = typeOf(value);
      if (record !== undefined) {
        found = pick((type) => type.k === 'interface' && record.chain[type.depth] === type.id);
      }
      found ??= pick((type) => type.k === 'buffer' && isBufferOf(type.n, value));
      if (found === undefined && typeof value === 'function') {
        found = pick((type) => type.k === 'callback');
      }
      if (found === undefined) {
        const sequence = pick((type) => type.k === 'sequence');
        if (sequence !== undefined) {
          method = value[iterator] ?? undefined;
          if (method !== undefined) {
            found = sequence;
          }
        }
      }
      found ??= pick((type) => type.k === 'callbackInterface' || type.k === 'dictionary' || type.k === 'record' || (type.k === 'simple' && type.n === 'object'));
    }
    const simple = (test) => pick((type) => type.k === 'simple' && test(type.n));
    if (found === undefined && typeof value === 'boolean') {
      found = simple((n) => n === 'boolean');
    }
    const numeric = (n) => n in INTEGERS || n === 'double' || n === 'float' || n === 'unrestricted double' || n === 'unrestricted float';
    if (found === undefined && typeof value === 'number') {
      found = simple(numeric);
    }
    found ??= pick((type) => type.k === 'enum' || (type.k === 'simple' && (type.n === 'DOMString' || type.n === 'USVString' || type.n === 'ByteString')));
    found ??= simple(numeric) ?? simple((n) => n === 'boolean') ?? simple((n) => n === 'any');
    if (found === undefined) {
      throw new TypeErrorCtor(`${label}: Overload resolution failed.`);
    }
    list[0] = found.id;
    return convertArguments(found, list, given, candidates.at, method);
  }

  function compileOverloads(overloads, label) {
    const compiled = newList();
    for (let i = 0; i < overloads.list.length; i++) {
      compiled[i] = compileOverload(overloads.list[i], label);
    }
    const { length } = overloads;
    const all = { __proto__: null, compiled, max: overloads.max, byCount: setProto(overloads.byCount, null) };
    // converts only: whether `self` is the new object or `this` is the caller's affair
    return (self, given) => {
      if (given.length < length) {
        throw new TypeErrorCtor(
          `${label}: ${length} argument${length === 1 ? '' : 's'} required, but only ${given.length} present.`);
      }
      if (compiled.length > 1) {
        return resolveOverload(all, self, given, label);
      }
      const list = newList();
      list[0] = compiled[0].id;
      list[1] = self;
      return convertArguments(compiled[0], list, given, 0, undefined);
    };
  }

  // https://webidl.spec.whatwg.org/#es-operations and #es-attributes: the value of `this`
  function receiver(record, value, label) {
    const self = value === undefined || value === null ? global : value;
    const type = typeOf(self);
    if (type === undefined || type.chain[record.depth] !== record.id) {
      throw new TypeErrorCtor(`${label}: 'this' is not an object that implements ${record.name}`);
    }
    return implOf(self);
  }

  function operation(record, op) {
    const label = `Failed to execute '${op.name}' on '${record.name}'`;
    const convert = compileOverloads(op.overloads, label);
    const run = (self, given) => callJava(convert(self, given));
    const discard = op.returns === 'undefined';
    const self = op.static ? () => null : (value) => receiver(record, value, label);
    const { name } = op;
    const fn = op.returns === 'promise'
      ? { [name]() {
          try {
            return run(self(this), arguments);
          } catch (reason) {
            return rejected(reason);
          }
        } }[name]
      : discard
        ? { [name]() { run(self(this), arguments); } }[name]
        : { [name]() { return run(self(this), arguments); } }[name];
    return native(fn, name, op.overloads.length);
  }

  function getter(record, attribute) {
    const { name, get } = attribute;
    const label = `Failed to read the '${name}' property from '${record.name}'`;
    const self = attribute.static ? () => null : (value) => receiver(record, value, label);
    const read = (value) => callSeam(get, self(value), undefined);
    const accessor = attribute.promise
      ? { get [name]() {
          try {
            return read(this);
          } catch (reason) {
            return rejected(reason);
          }
        } }
      : { get [name]() { return read(this); } };
    return native(getOwnPropertyDescriptor(accessor, name).get, `get ${name}`, 0);
  }

  function setter(record, attribute) {
    const { name, set } = attribute;
    const label = `Failed to set the '${name}' property on '${record.name}'`;
    let write;
    if (attribute.replaceable) {
      write = (self, value) => {
        receiver(record, self, label);
        define(self === undefined || self === null ? global : self, name, value, true, true, true);
      };
    } else if (attribute.putForwards !== undefined) {
      write = (self, value) => {
        receiver(record, self, label);
        const target = (self === undefined || self === null ? global : self)[name];
        if (!isObject(target)) {
          throw new TypeErrorCtor(`${label}: it forwards to something that is not an object`);
        }
        reflectSet(target, attribute.putForwards, value, target); // failing is no error
      };
    } else if (set >= 0) {
      const convert = compile(attribute.type);
      const where = within(null, label);
      const ignoreInvalid = attribute.type.k === 'enum';
      write = (self, value) => {
        const impl = attribute.static ? null : receiver(record, self, label);
        let converted;
        if (ignoreInvalid) {
          // an attribute of an enumeration type ignores strings that are no value of it
          converted = toDOMString(value);
          if (!(converted in tables.enums[attribute.type.n])) {
            return;
          }
        } else {
          converted = convert(value, where);
        }
        callSeam(set, impl, converted);
      };
    } else {
      return undefined;
    }
    const accessor = { set [name](value) { write(this, value); } };
    return native(getOwnPropertyDescriptor(accessor, name).set, `set ${name}`, 1);
  }

  // ---------------------------------------------------------------------------------------------
  // Interfaces

  // Interface records by id; each has proto, ctor and what wrap() needs.
  const records = newList();
  rememberRecords(Array.prototype, records);

  function newObject(record, proto) {
    if (!record.error) {
      return create(proto);
    }
    // DOMException objects are real errors: they have [[ErrorData]] and a stack
    const object = new ErrorCtor();
    setProto(object, proto);
    return object;
  }

  // https://webidl.spec.whatwg.org/#internally-create-a-new-object-implementing-the-interface
  function prototypeFor(record, newTarget) {
    const own = newTarget.prototype;
    if (isObject(own)) {
      return own;
    }
    // the realm of newTarget shows in the intrinsic that an ordinary constructor falls back to
    const intrinsic = getPrototypeOf(construct(ArrayCtor, newList(), newTarget));
    const records = recordsByArrayPrototype(intrinsic);
    return (records === undefined ? undefined : records[record.id]?.proto) ?? record.proto;
  }

  function prepare(object, record, impl) {
    put(object, impl, record);
    for (let at = record; at !== undefined; at = at.parent) {
      for (let i = 0; i < at.unforgeables.length; i++) {
        at.unforgeables[i](object);
      }
    }
    if (record.error) {
      stampStack(object, impl);
    }
    return object;
  }

  // Errors show name and message in the first line of their stack; the engine made it from the
  // empty Error that the object began as.
  function stampStack(object, impl) {
    const { stack } = object;
    if (typeof stack === 'string') {
      const end = apply(indexOf, stack, ['\n    at ']);
      const title = seam(tables.errorTitle, impl);
      define(object, 'stack', end < 0 ? title : title + apply(slice, stack, [end]), false, true, true);
    }
  }

  // A legacy platform object with an indexed getter: https://webidl.spec.whatwg.org/#legacy-platform-object-get
  // Returns {proxy, impl}: the maker sets impl.
  function indexedObject(record, proto) {
    const { lengthOf, itemOf } = record.indexed;
    const made = { __proto__: null, proxy: undefined, impl: undefined };
    const index = (key) => {
      if (typeof key !== 'string') {
        return -1;
      }
      const n = toNumber(key);
      return n >= 0 && n < 4294967295 && floor(n) === n && `${n}` === key ? n : -1;
    };
    const size = () => callSeam(lengthOf, made.impl);
    const supported = (key) => {
      const n = index(key);
      return n >= 0 && n < size() ? n : -1;
    };
    const target = create(proto);
    const handler = {
      __proto__: null,
      getOwnPropertyDescriptor(_, key) {
        const n = supported(key);
        if (n >= 0) {
          return { __proto__: null, value: callSeam(itemOf, made.impl, n), writable: false, enumerable: true, configurable: true };
        }
        const descriptor = getOwnPropertyDescriptor(target, key);
        return descriptor === undefined ? undefined : setProto(descriptor, null);
      },
      has(_, key) {
        return supported(key) >= 0 || reflectHas(target, key);
      },
      get(_, key, receiverObject) {
        const n = supported(key);
        return n >= 0 ? callSeam(itemOf, made.impl, n) : reflectGet(target, key, receiverObject);
      },
      set(_, key, value, receiverObject) {
        if (index(key) >= 0 && (receiverObject === made.proxy || supported(key) >= 0)) {
          return false;
        }
        return reflectSet(target, key, value, receiverObject === made.proxy ? target : receiverObject);
      },
      defineProperty(_, key, descriptor) {
        return index(key) >= 0 ? false : reflectDefine(target, key, setProto(descriptor, null));
      },
      deleteProperty(_, key) {
        return index(key) >= 0 ? supported(key) < 0 : reflectDelete(target, key);
      },
      ownKeys() {
        const keys = newList();
        for (let n = 0, count = size(); n < count; n++) {
          keys[n] = `${n}`;
        }
        const own = setProto(ownKeys(target), null);
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

  function constructorOf(record, table) {
    const label = `Failed to construct '${record.name}'`;
    const { name } = record;
    const convert = table.ctor === null ? undefined : compileOverloads(table.ctor, label);
    // A derived class, because the engine looks up the prototype for no other constructor by itself:
    // arguments are converted before that. Without `new` the engine throws the TypeError.
    const ctor = {
      [name]: class extends null {
        constructor() {
          if (convert === undefined) {
            throw new TypeErrorCtor(`${label}: Illegal constructor`);
          }
          const list = convert(undefined, arguments);
          const proto = new.target === ctor ? record.proto : prototypeFor(record, new.target);
          const exotic = record.indexed === null ? undefined : indexedObject(record, proto);
          const object = exotic === undefined ? newObject(record, proto) : exotic.proxy;
          list[1] = object;
          const impl = callJava(list);
          if (exotic !== undefined) {
            exotic.impl = impl;
          }
          return prepare(object, record, impl);
        }
      },
    }[name];
    return native(ctor, name, table.ctor === null ? 0 : table.ctor.length);
  }

  // https://webidl.spec.whatwg.org/#js-interfaces
  function installInterface(table) {
    const parent = table.parent < 0 ? undefined : records[table.parent];
    const record = {
      __proto__: null,
      id: table.id,
      name: table.name,
      depth: table.chain.length - 1,
      chain: setProto(table.chain, null),
      parent,
      error: table.error,
      indexed: table.indexed,
      unforgeables: newList(),
      proto: undefined,
    };
    records[table.id] = record;
    const ctor = constructorOf(record, table);
    const proto = ctor.prototype;
    setProto(proto, parent !== undefined ? parent.proto : table.error ? ErrorCtor.prototype : Object.prototype);
    record.proto = proto;
    record.ctor = ctor;
    if (parent !== undefined) {
      setProto(ctor, parent.ctor);
    }
    const target = table.global ? global : proto;
    for (let i = 0; i < table.consts.length; i++) {
      define(ctor, table.consts[i][0], table.consts[i][1], true, false, false);
      define(proto, table.consts[i][0], table.consts[i][1], true, false, false);
    }
    for (let i = 0; i < table.attributes.length; i++) {
      installAttribute(record, ctor, target, table.attributes[i]);
    }
    for (let i = 0; i < table.operations.length; i++) {
      installOperation(record, ctor, target, table.operations[i]);
    }
    if (table.indexed !== null) {
      define(proto, iterator, ArrayValues, false, true, true);
    }
    define(proto, toStringTag, table.name, false, false, true);
    if (!table.hidden) {
      define(global, table.name, ctor, false, true, true);
      for (let i = 0; i < table.aliases.length; i++) {
        define(global, table.aliases[i], ctor, false, true, true);
      }
    }
  }
  const ArrayValues = Array.prototype.values;

  function installAttribute(record, ctor, target, attribute) {
    const get = getter(record, attribute);
    const set = setter(record, attribute);
    const put = (object, configurable) =>
      defineProperty(object, attribute.name, { __proto__: null, get, set, enumerable: true, configurable });
    if (attribute.static) {
      put(ctor, true);
    } else if (attribute.unforgeable) {
      record.unforgeables[record.unforgeables.length] = (object) => put(object, false);
    } else {
      put(target, true);
    }
  }

  function installOperation(record, ctor, target, op) {
    const fn = operation(record, op);
    if (op.static) {
      define(ctor, op.name, fn, true, true, true);
    } else if (op.unforgeable) {
      record.unforgeables[record.unforgeables.length] = (object) => define(object, op.name, fn, true, false, false);
    } else {
      define(target, op.name, fn, true, true, true);
    }
  }

  for (let i = 0; i < tables.interfaces.length; i++) {
    installInterface(tables.interfaces[i]);
  }

  // https://webidl.spec.whatwg.org/#js-namespaces
  for (let i = 0; i < tables.namespaces.length; i++) {
    const table = tables.namespaces[i];
    delete global[table.name];
    const namespace = {};
    for (let j = 0; j < table.operations.length; j++) {
      installOperation(table, namespace, namespace, table.operations[j]);
    }
    define(namespace, toStringTag, table.name, false, false, true);
    define(global, table.name, namespace, false, true, true);
  }

  // Functions of ours look native; the engine's own answer lacks the names of computed keys.
  const toString = {
    toString() {
      if (typeof this === 'function') {
        const name = nativeName(this);
        if (name !== undefined) {
          return `function ${name}() { [native code] }`;
        }
      }
      return apply(functionToString, this, []);
    },
  }.toString;
  markNative(toString, 'toString');
  define(Function.prototype, 'toString', toString, false, true, true);

  // The global's prototype chain is immutable in browsers; the engine leaves it open.
  // https://webidl.spec.whatwg.org/#platform-object-setprototypeof
  function guardPrototype() {
    const immutable = (object) => object === global;
    const objectSet = Object.setPrototypeOf;
    const reflectSetProto = Reflect.setPrototypeOf;
    const protoAccessor = getOwnPropertyDescriptor(Object.prototype, '__proto__');
    const allowed = (object, proto) => !immutable(object) || proto === getPrototypeOf(object);
    const guarded = {
      setPrototypeOf(object, proto) {
        if (!allowed(object, proto) && (isObject(proto) || proto === null)) {
          throw new TypeErrorCtor('Immutable prototype object cannot have its prototype set');
        }
        return apply(objectSet, this, [object, proto]);
      },
    };
    const reflect = {
      setPrototypeOf(object, proto) {
        if (!allowed(object, proto) && (isObject(proto) || proto === null)) {
          return false;
        }
        return apply(reflectSetProto, this, [object, proto]);
      },
    };
    const accessor = {
      set __proto__(proto) {
        if (!allowed(this, proto) && (isObject(proto) || proto === null)) {
          throw new TypeErrorCtor('Immutable prototype object cannot have its prototype set');
        }
        apply(protoAccessor.set, this, [proto]);
      },
    };
    define(Object, 'setPrototypeOf', native(guarded.setPrototypeOf, 'setPrototypeOf', 2), false, true, true);
    define(Reflect, 'setPrototypeOf', native(reflect.setPrototypeOf, 'setPrototypeOf', 2), false, true, true);
    defineProperty(Object.prototype, '__proto__', {
      __proto__: null,
      get: protoAccessor.get,
      set: native(getOwnPropertyDescriptor(accessor, '__proto__').set, 'set __proto__', 1),
      enumerable: false,
      configurable: true,
    });
  }
  guardPrototype();

  // What the engine offers and no browser does.
  const { setUnhandledPromiseRejectionHandler } = typeof Graal === 'object' ? Graal : {};
  for (const name of ['print', 'printErr', 'load', 'loadWithNewGlobal', 'Graal', 'arguments']) {
    delete global[name];
  }
  delete global[toStringTag];

  // ---------------------------------------------------------------------------------------------
  // What Java calls.

  function callAndReport(fn, self, list) {
    try {
      return apply(fn, self, list);
    } catch (error) {
      seam(tables.reportException, null, error);
      return failure;
    }
  }

  // A promise of ours that page script never sees: `then` on it asks nobody for its species.
  function hidden(promise) {
    define(promise, 'constructor', undefined, false, false, false);
    return promise;
  }

  function rest(args, from) {
    const list = newList();
    for (let i = from; i < args.length; i++) {
      list[i - from] = args[i];
    }
    return list;
  }

  return {
    __proto__: null,

    // Makes the object that stands for a Java implementation.
    wrap(id, impl) {
      const record = records[id];
      if (record.indexed !== null) {
        const exotic = indexedObject(record, record.proto);
        exotic.impl = impl;
        return prepare(exotic.proxy, record, impl);
      }
      return prepare(newObject(record, record.proto), record, impl);
    },

    // Makes the global object a platform object.
    brandGlobal(id, impl) {
      const record = records[id];
      setProto(global, record.proto);
      prepare(global, record, impl);
    },

    exception(kind, message) {
      return kind === 'TypeError' ? new TypeErrorCtor(message) : kind === 'RangeError' ? new RangeErrorCtor(message) : new ErrorCtor(message);
    },

    newPromise(accept) {
      let resolveIt;
      let rejectIt;
      const promise = new PromiseCtor((resolve, reject) => {
        resolveIt = resolve;
        rejectIt = reject;
      });
      accept(promise, resolveIt, rejectIt);
    },

    // https://webidl.spec.whatwg.org/#invoke-a-callback-function, for callbacks that report
    // exceptions. Returns `failure` if it threw.
    callAndReport(fn, self) {
      return callAndReport(fn, self, rest(arguments, 2));
    },

    // https://webidl.spec.whatwg.org/#call-a-user-objects-operation
    callUserObject(object, operationName, self, argument) {
      try {
        if (typeof object === 'function') {
          return apply(object, self, [argument]);
        }
        const method = object[operationName];
        if (typeof method !== 'function') {
          throw new TypeErrorCtor(`The object has no callable '${operationName}'`);
        }
        return apply(method, object, [argument]);
      } catch (error) {
        seam(tables.reportException, null, error);
        return failure;
      }
    },

    // https://webidl.spec.whatwg.org/#invoke-a-callback-function with a promise as return type,
    // and https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled
    callAndReact(fn, self, argument, onFulfilled, onRejected) {
      let promise;
      try {
        const result = apply(fn, self, [argument]);
        promise = new PromiseCtor((resolve) => resolve(result));
      } catch (error) {
        promise = rejected(error);
      }
      apply(promiseThen, hidden(promise), [(value) => { onFulfilled(value); }, (reason) => { onRejected(reason); }]);
    },

    // Where the engine offers it: listener(reason, promise) for each promise that is rejected and
    // not handled when the microtasks have run.
    onUnhandledRejection(listener) {
      if (setUnhandledPromiseRejectionHandler === undefined) {
        return false;
      }
      setUnhandledPromiseRejectionHandler((reason, promise) => { listener(reason, promise); });
      return true;
    },

    queueMicrotask(steps) {
      apply(promiseThen, hidden(new PromiseCtor((resolve) => resolve())), [() => { callAndReport(steps, undefined, newList()); }]);
    },

    // Runs steps of Java such that nothing they do is the outermost call.
    run(steps) {
      return steps();
    },

    // Evaluates a script by `steps`; an exception is reported before microtasks run.
    runScript(steps) {
      try {
        steps();
        return true;
      } catch (error) {
        seam(tables.reportException, null, error);
        return false;
      }
    },

    dictionary(name) {
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

    array() {
      const list = [];
      for (let i = 0; i < arguments.length; i++) {
        define(list, i, arguments[i], true, true, true);
      }
      return list;
    },

    isPlatformObject(value) {
      return typeOf(value) !== undefined;
    },

    isUndefined(value) {
      return value === undefined;
    },

    // What an error event shows of an exception. Accessors of an error are not run; any other value
    // is converted to a string.
    errorText(error) {
      if (isError(error)) {
        if (typeOf(error)?.error) {
          return callSeam(tables.errorTitle, implOf(error), undefined);
        }
        const name = dataProperty(error, 'name') ?? 'Error';
        const message = dataProperty(error, 'message') ?? '';
        return message === '' ? name : `${name}: ${message}`;
      }
      try {
        return toDOMString(typeof error === 'symbol' ? SymbolToString(error) : error);
      } catch {
        return 'exception that cannot be shown as text';
      }
    },

    errorStack(error) {
      const stack = isError(error) ? ownValue(error, 'stack') : undefined;
      return typeof stack === 'string' ? stack : null;
    },

    parseJson(text) {
      return jsonParse(text);
    },

    undefined,
    nullValue: null,
  };

  function ownValue(object, key) {
    const descriptor = getOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? undefined : setProto(descriptor, null).value;
  }

  // The string in the nearest property of that name, if it is a data property.
  function dataProperty(object, key) {
    for (let at = object; at !== null; at = getPrototypeOf(at)) {
      const descriptor = getOwnPropertyDescriptor(at, key);
      if (descriptor !== undefined) {
        setProto(descriptor, null);
        return typeof descriptor.value === 'string' ? descriptor.value : undefined;
      }
    }
    return undefined;
  }

  function SymbolToString(symbol) {
    return apply(symbolToString, symbol, []);
  }
});
