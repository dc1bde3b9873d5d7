// The prelude, part 3: operations, attributes and overloads.

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
// Returns the converted arguments, behind `self` and the number of the overload.
function resolveOverload(overloads, self, given, label) {
  const list = newList();
  list[1] = self;
  const count = given.length < overloads.max ? given.length : overloads.max;
  const candidates = overloads.byCount[count];
  if (candidates.of.length === 0) {
    throw new TypeErrorCtor(`${label}: Overload resolution failed.`);
  }
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
  return convertArguments(found, list, given, candidates.at, method);
}

// Compiles with the first call: a realm has hundreds of operations, of which script calls few.
function compileOverloads(overloads, label) {
  const { length } = overloads;
  let all;
  const compileAll = () => {
    const compiled = newList();
    for (let i = 0; i < overloads.list.length; i++) {
      compiled[i] = compileOverload(overloads.list[i], label);
    }
    all = { __proto__: null, compiled, max: overloads.max, byCount: setProto(overloads.byCount, null) };
  };
  // converts only: whether `self` is the new object or `this` is the caller's affair
  return (self, given) => {
    if (given.length < length) {
      throw new TypeErrorCtor(
        `${label}: ${length} argument${length === 1 ? '' : 's'} required, but only ${given.length} present.`);
    }
    if (all === undefined) {
      compileAll();
    }
    const { compiled } = all;
    if (compiled.length > 1) {
      return resolveOverload(all, self, given, label);
    }
    const list = newList();
    list[0] = compiled[0].id;
    list[1] = self;
    return convertArguments(compiled[0], list, given, 0, undefined);
  };
}

// Whether `this`, if it is given at all, may be the receiver.
function implements_(record, value) {
  const type = typeOf(value === undefined || value === null ? global : value);
  return type !== undefined && type.chain[record.depth] === record.id;
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

// `call` passes the converted arguments to Java.
function operation(record, op, call) {
  const label = `Failed to execute '${op.name}' on '${record.name}'`;
  const convert = compileOverloads(op.overloads, label);
  const run = (self, given) => call(convert(self, given));
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
  const read = attribute.lenientThis
    ? (value) => (implements_(record, value) ? callSeam(get, self(value), undefined) : undefined)
    : (value) => callSeam(get, self(value), undefined);
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
    const putForward = (self, value) => {
      receiver(record, self, label);
      const target = (self === undefined || self === null ? global : self)[name];
      if (!isObject(target)) {
        throw new TypeErrorCtor(`${label}: it forwards to something that is not an object`);
      }
      reflectSet(target, attribute.putForwards, value, target); // failing is no error
    };
    write = putForward;
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
  } else if (attribute.lenientSetter) {
    write = (self) => { receiver(record, self, label); };
  } else {
    return undefined;
  }
  if (attribute.lenientThis) {
    const writeIt = write;
    write = (self, value) => {
      if (implements_(record, self)) {
        writeIt(self, value);
      }
    };
  }
  const accessor = { set [name](value) { write(this, value); } };
  return native(getOwnPropertyDescriptor(accessor, name).set, `set ${name}`, 1);
}
