// The prelude, part 3: operations, attributes and overloads.

// The kinds of arguments, by their conversion.
const REQUIRED = 0;
const OPTIONAL = 1;
const DICTIONARY = 2;
const VARIADIC = 3;

function kindOf(arg) {
  return arg.variadic ? VARIADIC : arg.type.k === 'dictionary' ? DICTIONARY : arg.optional ? OPTIONAL : REQUIRED;
}

// The index, in a list for Java, of the promise that Java may use for its result; the arguments
// follow.
const OFFERED = 2;

// Returns a new promise with its resolving functions. Java has this object in place of the promise.
function newCapability() {
  let resolve;
  let reject;
  const promise = new PromiseCtor((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  return { __proto__: null, promise, resolve, reject };
}

// Returns everything of a callable member that does not change from call to call. `size` is the
// number of values for Java; negative, if it depends on the call.
function compileOverload(overload, label, offers) {
  const args = listCopy(overload.args);
  const first = offers ? OFFERED + 1 : 2;
  const compiled = { __proto__: null, id: overload.id, args, kinds: newList(), convert: newList(), where: newList(), first, size: first };
  for (let i = 0; i < args.length; i++) {
    const { name, type } = args[i];
    const kind = kindOf(args[i]);
    compiled.kinds[i] = kind;
    compiled.where[i] = within(null, `${label}: parameter ${i + 1} ('${name}')`);
    compiled.convert[i] = kind === DICTIONARY ? dictionary(type.n) : compile(type);
    compiled.size += kind === DICTIONARY ? compiled.convert[i].members.length : 1;
  }
  if (args.length > 0 && args[args.length - 1].variadic) {
    compiled.size = -1;
  }
  return compiled;
}

// Returns a list for `size` values. An existing element is set without a lookup in the prototype.
// Only lists that grow must have no prototype, and removing it costs time.
function listOf(size) {
  switch (size) {
    case 2:
      return [undefined, undefined];
    case 3:
      return [undefined, undefined, undefined];
    case 4:
      return [undefined, undefined, undefined, undefined];
    case 5:
      return [undefined, undefined, undefined, undefined, undefined];
    case 8:
      return [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
    case 9:
      return [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
    default:
      return newList();
  }
}

// Converts the arguments from index `from` on and puts them into `list`, from `at` on. `method` is the
// @@iterator method of the first of them, if overload resolution has read it.
function convertArguments(overload, list, at, given, from, method) {
  const { kinds, convert, where } = overload;
  let to = at;
  for (let i = from < kinds.length ? from : kinds.length - 1; i >= 0 && i < kinds.length; i++) {
    if (kinds[i] === VARIADIC) {
      for (let j = i < from ? from : i; j < given.length; j++) {
        list[to++] = convert[i](given[j], where[i], j === from ? method : undefined);
      }
      break;
    }
    to = convertArgument(overload, i, i < given.length ? given[i] : undefined, list, to, i === from ? method : undefined);
  }
  return list;
}

// Returns the index for the next argument.
function convertArgument(overload, i, value, list, at, method) {
  const kind = overload.kinds[i];
  const convert = overload.convert[i];
  const where = overload.where[i];
  if (kind === DICTIONARY) {
    return convertDictionary(convert, value, where, list, at);
  }
  list[at] = value === undefined && kind === OPTIONAL
    ? defaultOf(overload.args[i], convert, where)
    : convert(value, where, method);
  return at + 1;
}

// The seam itself throws no exception. If one arrives, the stack was too small to enter Java.
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

// For setters of legacy platform objects.
function callSeamWithKey(id, impl, key, value) {
  const list = newList();
  list[0] = id;
  list[1] = impl;
  list[2] = key;
  list[3] = value;
  callJava(list);
}

function stackOverflow() {
  return new RangeErrorCtor('Maximum call stack size exceeded');
}

// https://webidl.spec.whatwg.org/#dfn-overload-resolution-algorithm
// Returns the converted arguments, after the number of the overload and `self`.
function resolveOverload(overloads, self, given, label) {
  const count = given.length < overloads.max ? given.length : overloads.max;
  const candidates = overloads.byCount[count];
  if (candidates.of.length === 0) {
    throw new TypeErrorCtor(`${label}: Overload resolution failed.`);
  }
  const first = overloads.compiled[candidates.of[0]];
  if (candidates.of.length === 1) {
    return convertAll(first, self, given);
  }
  const list = newList();
  list[1] = self;
  // arguments before the distinguishing one have the same types in all candidates
  list[0] = -1;
  if (first.first > OFFERED) {
    list[OFFERED] = newCapability();
  }
  let at = first.first;
  for (let i = 0; i < candidates.at; i++) {
    at = convertArgument(first, first.args[i] === undefined ? first.args.length - 1 : i, given[i], list, at, undefined);
  }
  const value = given[candidates.at];
  let method;
  const pick = (test) => {
    for (let i = 0; i < candidates.of.length; i++) {
      const overload = overloads.compiled[candidates.of[i]];
      const arg = overload.args[candidates.at < overload.args.length ? candidates.at : overload.args.length - 1];
      const type = arg.type;
      const inner = type.k === 'nullable' ? type.t : type;
      if (test(type, arg) || (inner !== type && test(inner, arg))) {
        return overload;
      }
      if (inner.k === 'union') {
        for (let j = 0; j < inner.types.length; j++) {
          if (test(inner.types[j], arg)) {
            return overload;
          }
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
  const isBigInt = (n) => n === 'bigint';
  if (found === undefined && typeof value === 'bigint') {
    found = simple(isBigInt);
  }
  found ??= pick((type) => type.k === 'enum' || (type.k === 'simple' && (type.n === 'DOMString' || type.n === 'USVString' || type.n === 'ByteString')));
  found ??= simple(numeric) ?? simple((n) => n === 'boolean') ?? simple(isBigInt) ?? simple((n) => n === 'any');
  if (found === undefined) {
    throw new TypeErrorCtor(`${label}: Overload resolution failed.`);
  }
  list[0] = found.id;
  return convertArguments(found, list, at, given, candidates.at, method);
}

function convertAll(overload, self, given) {
  const list = listOf(overload.size);
  list[0] = overload.id;
  list[1] = self;
  if (overload.first > OFFERED) {
    list[OFFERED] = newCapability();
  }
  return convertArguments(overload, list, overload.first, given, 0, undefined);
}

// Compiles at the first call: a realm has hundreds of operations, of which script calls few.
// `offers`: whether Java may use a promise that script has made for the result.
function compileOverloads(overloads, label, offers) {
  const { length } = overloads;
  let all;
  const compileAll = () => {
    requireStack();
    const compiled = newList();
    for (let i = 0; i < overloads.list.length; i++) {
      compiled[i] = compileOverload(overloads.list[i], label, offers);
    }
    all = { __proto__: null, compiled, max: overloads.max, byCount: listCopy(overloads.byCount) };
  };
  // only converts: `self` is the new object or the value of `this`, as the caller decides
  return (self, given) => {
    if (given.length < length) {
      throw new TypeErrorCtor(
        `${label}: ${length} argument${length === 1 ? '' : 's'} required, but only ${given.length} present.`);
    }
    if (all === undefined) {
      compileAll();
    }
    const { compiled } = all;
    return compiled.length > 1 ? resolveOverload(all, self, given, label) : convertAll(compiled[0], self, given);
  };
}

// Returns whether `this`, or the global if it is missing, may be the receiver.
function implements_(record, value) {
  const type = typeOf(value === undefined || value === null ? global : value);
  return type !== undefined && type.chain[record.depth] === record.id;
}

// https://webidl.spec.whatwg.org/#es-operations and #es-attributes: the value of `this`
function receiver(record, value, label) {
  const self = value === undefined || value === null ? global : value;
  const type = typeOf(self);
  if (type === undefined || type.chain[record.depth] !== record.id) {
    throw notAReceiver(record, label);
  }
  return implOf(self);
}

// `call` passes the converted arguments to Java.
function operation(record, op, call) {
  const label = `Failed to execute '${op.name}' on '${record.name}'`;
  const convert = compileOverloads(op.overloads, label, op.offersPromise);
  const self = op.static ? () => null : (value) => receiver(record, value, label);
  const { name } = op;
  const fn = op.offersPromise
    ? { [name]() {
        try {
          const list = convert(self(this), arguments);
          const result = call(list);
          return result === null ? list[OFFERED].promise : result;
        } catch (reason) {
          return rejected(reason);
        }
      } }[name]
    : op.returns === 'promise'
      ? { [name]() {
          try {
            return call(convert(self(this), arguments));
          } catch (reason) {
            return rejected(reason);
          }
        } }[name]
      : op.returns === 'undefined'
        ? { [name]() { call(convert(self(this), arguments)); } }[name]
        : { [name]() { return call(convert(self(this), arguments)); } }[name];
  return native(fn, name, op.overloads.length);
}

function notAReceiver(record, label) {
  return new TypeErrorCtor(`${label}: 'this' is not an object that implements ${record.name}`);
}

// Returns the accessor property of an attribute. A window has a hundred, so its functions retain
// only parts of the tables.
function accessorOf(record, attribute) {
  const { name } = attribute;
  const accessor = attribute.promise
    ? { get [name]() {
        try {
          return readAttribute(record, attribute, this);
        } catch (reason) {
          return rejected(reason);
        }
      } }
    : isSettable(attribute)
      ? {
          get [name]() { return readAttribute(record, attribute, this); },
          set [name](value) { writeAttribute(record, attribute, this, value); },
        }
      : { get [name]() { return readAttribute(record, attribute, this); } };
  const descriptor = setProto(getOwnPropertyDescriptor(accessor, name), null);
  markNative(descriptor.get, `get ${name}`);
  if (descriptor.set !== undefined) {
    markNative(descriptor.set, `set ${name}`);
  }
  return descriptor;
}

function readAttribute(record, attribute, value) {
  if (attribute.static) {
    return callSeam(attribute.get, null, undefined);
  }
  const self = value ?? global;
  const type = typeOf(self);
  if (type === undefined || type.chain[record.depth] !== record.id) {
    if (attribute.lenientThis) {
      return undefined;
    }
    throw notAReceiver(record, `Failed to read the '${attribute.name}' property from '${record.name}'`);
  }
  return callSeam(attribute.get, implOf(self), undefined);
}

function isSettable(attribute) {
  return attribute.set >= 0 || attribute.replaceable || attribute.putForwards !== undefined || attribute.lenientSetter;
}

// The only setter that, by Web IDL, reads properties which page script may have replaced.
function putForward(object, name, forward, value, label) {
  const target = object[name];
  if (!isObject(target)) {
    throw new TypeErrorCtor(`${label}: The value of '${name}' is not an object`);
  }
  reflectSet(target, forward, value, target); // failure is not an error
}

function writeAttribute(record, attribute, self, value) {
  const { name } = attribute;
  if (attribute.lenientThis && !implements_(record, self)) {
    return;
  }
  const label = `Failed to set the '${name}' property on '${record.name}'`;
  const impl = attribute.static ? null : receiver(record, self, label);
  if (attribute.replaceable) {
    define(self ?? global, name, value, true, true, true);
  } else if (attribute.putForwards !== undefined) {
    putForward(self ?? global, name, attribute.putForwards, value, label);
  } else if (attribute.set >= 0) {
    let converted;
    if (attribute.type.k === 'enum') {
      // an attribute of an enumeration type ignores strings that are no value of it
      converted = toDOMString(value);
      if (!(converted in tables.enums[attribute.type.n])) {
        return;
      }
    } else {
      if (attribute.convert === undefined) {
        requireStack();
        attribute.convert = compile(attribute.type);
      }
      converted = attribute.convert(value, within(null, label));
    }
    callSeam(attribute.set, impl, converted);
  }
}
