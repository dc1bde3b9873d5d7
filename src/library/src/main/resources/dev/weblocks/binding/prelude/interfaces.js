// Interface objects.

import {
  apply, ArrayCtor, construct, create, define, defineProperty, ErrorCtor, exposed, getOwnPropertyDescriptor,
  getPrototypeOf, global, indexOf, isObject, later, markImmutablePrototype, markNative, native, newList,
  ObjectProto, ownKeys, part, ProxyCtor, put, recordsByArrayPrototype, reflectDelete, rememberRecords, requireStack,
  setProto, slice, symbolUnscopables, tables, toStringTag, TypeErrorCtor,
} from './capture.js';
import { callSeam, library } from './operations.js';
import { installIteration, newMap, newSet } from './iteration.js';

// Interface records by id; each has proto, ctor and the data for wrap(). An interface is made
// lazily, which may be while page script runs.
export const records = newList();
rememberRecords(Array.prototype, recordOf);

export function recordOf(id) {
  return records[id] ?? makeRecord(id);
}

// Returns the members of a dictionary.
export function dictionaryTable(name) {
  const write = part(name);
  if (write === null) {
    callSeam(tables.reportException, null, undefined); // throws, as the agent has ended
  }
  return write(tables.emptyList, tables.emptyDictionary);
}

// Returns undefined for an interface that is not exposed.
export function makeRecord(id) {
  requireStack();
  const write = part(id);
  if (write === null) {
    return undefined;
  }
  const record = {
    __proto__: null,
    id,
    name: undefined,
    depth: 0,
    chain: undefined,
    parent: undefined,
    error: false,
    legacy: null,
    unforgeables: newList(),
    unforgeableNames: newList(),
    factories: null,
    ctor: undefined,
    proto: undefined,
    plain: undefined,
    backing: undefined,
  };
  const code = write(library, record);
  installInterface(record, code);
  if (code.global) {
    globalCode = { __proto__: null, write, record };
  }
  records[id] = record;
  return record;
}

// The code of the interface of this realm's global, and its record.
export let globalCode;

export function newObject(record, proto) {
  return record.error ? newError(proto) : create(proto);
}

// DOMException objects are real errors: they have [[ErrorData]] and a stack. The engine writes the
// stack at the first read, and then reads name and message of the object, which no page must
// observe.
export function newError(proto) {
  const object = setProto(new ErrorCtor(), null);
  void object.stack;
  return setProto(object, proto);
}

const WITHOUT_PROTOTYPE = { __proto__: null, get() { return undefined; } };

// Returns an array that is made for newTarget, whose prototype property is not an object and was
// read already. A proxy prevents a second read. The engine rejects the proxy's value if the
// property is read-only; then it is read again, which nothing can observe.
function constructWithout(newTarget) {
  try {
    return construct(ArrayCtor, newList(), new ProxyCtor(newTarget, WITHOUT_PROTOTYPE));
  } catch {
    return construct(ArrayCtor, newList(), newTarget);
  }
}

// https://webidl.spec.whatwg.org/#internally-create-a-new-object-implementing-the-interface
export function prototypeFor(record, newTarget) {
  return newTarget === record.ctor ? record.proto : prototypeOf(record, newTarget);
}

function prototypeOf(record, newTarget) {
  const own = newTarget.prototype;
  if (isObject(own)) {
    return own;
  }
  // the intrinsic that an ordinary constructor falls back to shows the realm of newTarget
  const intrinsic = getPrototypeOf(constructWithout(newTarget));
  const recordOfRealm = recordsByArrayPrototype(intrinsic);
  return (recordOfRealm === undefined ? undefined : recordOfRealm(record.id)?.proto) ?? record.proto;
}

// Returns whether an object of the interface has only its prototype and its slots.
export function isPlain(record) {
  if (record.error || record.legacy !== null || record.backing !== undefined) {
    return false;
  }
  for (let at = record; at !== undefined; at = at.parent) {
    if (at.unforgeables.length > 0) {
      return false;
    }
  }
  return true;
}

// `holder` has the own properties of the object: the object itself, or the target of the proxy.
export function prepare(object, record, impl, holder) {
  put(object, impl, record, record.backing === undefined ? undefined : record.backing());
  for (let at = record; at !== undefined; at = at.parent) {
    for (let i = 0; i < at.unforgeables.length; i++) {
      defineProperty(holder, at.unforgeableNames[i], at.unforgeables[i]);
    }
  }
  if (record.error) {
    stampStack(object, callSeam(tables.errorTitle, impl, undefined));
  }
  return object;
}

// Errors show name and message in the first line of their stack; the engine made it from the empty
// Error that the object was at first. There is no stack if the page has switched stacks off.
export function stampStack(object, title) {
  const { stack } = object;
  if (typeof stack === 'string') {
    const end = apply(indexOf, stack, ['\n    at ']);
    define(object, 'stack', end < 0 ? title : title + apply(slice, stack, [end]), false, true, true);
  }
}

const CALLED_WITHOUT_NEW = "Please use the 'new' operator, this DOM object constructor cannot be called as a function.";

function constructorOf(record, code) {
  const { name } = record;
  const label = `Failed to construct '${name}'`;
  const target = code.ctor ?? {
    [name]: class extends null {
      constructor() {
        throw new TypeErrorCtor(`${label}: Illegal constructor`);
      }
    },
  }[name];
  markNative(target, name);
  // A proxy, because the engine's message for a class called without `new` does not name the
  // interface. It has no trap for construction, which therefore takes no longer.
  const ctor = new ProxyCtor(target, {
    __proto__: null,
    apply() {
      throw new TypeErrorCtor(`${label}: ${code.ctor === undefined ? 'Illegal constructor' : CALLED_WITHOUT_NEW}`);
    },
  });
  markNative(ctor, name);
  return ctor;
}

// Returns the descriptor of a member of the generated code, which is that of the property.
function memberOf(members, name) {
  const descriptor = setProto(getOwnPropertyDescriptor(members, name), null);
  const { get, set, value } = descriptor;
  if (get === undefined) {
    markNative(value, name);
    return descriptor;
  }
  markNative(get, `get ${name}`);
  if (set !== undefined) {
    markNative(set, `set ${name}`);
  }
  return descriptor;
}

// Defines all members on an object, in the order of the IDL.
function installMembers(object, members) {
  const names = setProto(ownKeys(members), null);
  for (let i = 0; i < names.length; i++) {
    defineProperty(object, names[i], memberOf(members, names[i]));
  }
}

// https://webidl.spec.whatwg.org/#LegacyUnforgeable
function keepUnforgeables(record, members) {
  const names = setProto(ownKeys(members), null);
  for (let i = 0; i < names.length; i++) {
    const descriptor = memberOf(members, names[i]);
    descriptor.configurable = false;
    if ('writable' in descriptor) {
      descriptor.writable = false;
    }
    record.unforgeableNames[i] = names[i];
    record.unforgeables[i] = descriptor;
  }
}

// https://webidl.spec.whatwg.org/#js-interfaces
function installInterface(record, code) {
  const parent = code.parent < 0 ? undefined : recordOf(code.parent);
  record.name = code.name;
  record.depth = code.chain.length - 1;
  record.chain = setProto(code.chain, null);
  record.parent = parent;
  record.error = code.error;
  record.legacy = code.legacy;
  record.factories = code.factories;
  record.backing = code.maplike !== null ? newMap : code.setlike !== null ? newSet : undefined;
  const ctor = constructorOf(record, code);
  const proto = ctor.prototype;
  setProto(proto, parent !== undefined ? parent.proto : code.error ? ErrorCtor.prototype : ObjectProto);
  record.proto = proto;
  record.ctor = ctor;
  if (code.globalChain) {
    markImmutablePrototype(proto);
  }
  if (parent !== undefined) {
    setProto(ctor, parent.ctor);
  }
  const target = code.global ? exposed : proto;
  reflectDelete(proto, 'constructor'); // defined later, if at all
  if (code.unscopables.length > 0) {
    const unscopables = create(null);
    for (let i = 0; i < code.unscopables.length; i++) {
      define(unscopables, code.unscopables[i], true, true, true, true);
    }
    define(proto, symbolUnscopables, unscopables, false, false, true);
  }
  for (let i = 0; i < code.consts.length; i++) {
    define(ctor, code.consts[i][0], code.consts[i][1], true, false, false);
  }
  if (code.statics !== null) {
    installMembers(ctor, code.statics);
  }
  if (code.unforgeables !== null) {
    keepUnforgeables(record, code.unforgeables);
  }
  if (code.members !== null) {
    installMembers(target, code.members);
  }
  installIteration(record, target, code);
  for (let i = 0; i < code.consts.length; i++) {
    define(proto, code.consts[i][0], code.consts[i][1], true, false, false);
  }
  if (!code.hidden) {
    define(proto, 'constructor', ctor, false, true, true);
  }
  define(proto, toStringTag, code.name, false, false, true);
}

// https://webidl.spec.whatwg.org/#legacy-factory-functions
function legacyFactoryFunction(record, name) {
  const make = record.factories[name];
  // A proxy, because its prototype property must be the interface's: that of a class cannot be
  // replaced, and a plain function would look up the prototype of `new.target` too early.
  const target = { [name]: function () {} }[name];
  define(target, 'prototype', record.proto, false, false, false);
  native(target, name, make.length);
  const factory = new ProxyCtor(target, {
    __proto__: null,
    apply() {
      throw new TypeErrorCtor(`Failed to construct '${name}': ${CALLED_WITHOUT_NEW}`);
    },
    construct(_, given, newTarget) {
      return apply(make, newTarget, given);
    },
  });
  markNative(factory, name);
  return factory;
}

// https://webidl.spec.whatwg.org/#js-legacy-callback-interface-object
function installCallbackInterface(code) {
  const { name } = code;
  const object = {
    [name]() {
      throw new TypeErrorCtor('Illegal constructor');
    },
  }[name];
  for (let i = 0; i < code.consts.length; i++) {
    define(object, code.consts[i][0], code.consts[i][1], true, false, false);
  }
  return native(object, name, 0);
}

// https://webidl.spec.whatwg.org/#js-namespaces
function installNamespace(code) {
  // https://console.spec.whatwg.org/#console-namespace: for historical reasons, the [[Prototype]] of
  // this one is an empty object
  const namespace = code.name === 'console' ? create({}) : {};
  for (let i = 0; i < code.consts.length; i++) {
    define(namespace, code.consts[i][0], code.consts[i][1], true, false, false);
  }
  installMembers(namespace, code.members);
  define(namespace, toStringTag, code.name, false, false, true);
  return namespace;
}

// The names of the global, in their order, as triples of name, number of the table, and kind of value.
const { exposures } = tables;
const GLOBAL = 0;
const INTERFACE = 1;
const FACTORY = 2;
const CALLBACK_INTERFACE = 3;
const NAMESPACE = 4;

// Returns the value of the name with an index.
function exposedValue(index) {
  const name = exposures[index * 3];
  const number = exposures[index * 3 + 1];
  switch (exposures[index * 3 + 2]) {
    case INTERFACE:
      return recordOf(number).ctor;
    case FACTORY:
      return legacyFactoryFunction(recordOf(number), name);
    case CALLBACK_INTERFACE:
      return installCallbackInterface(part(number)(library));
    case NAMESPACE:
      return installNamespace(part(number)(library));
  }
}

// Defines the names of a range. Their values are made lazily, if the engine supports that.
function exposeValues(from, to) {
  if (later !== null) {
    const key = 'weblocks: makes values';
    define(global, key, exposedValue, false, true, true);
    later(key, from, to);
    reflectDelete(global, key);
    return;
  }
  for (let i = from; i < to; i++) {
    define(exposed, exposures[i * 3], exposedValue(i), false, true, true);
  }
}

function exposeAll() {
  setProto(exposures, null);
  const count = exposures.length / 3;
  for (let i = count - 1; i >= 0 && exposures[i * 3 + 2] === NAMESPACE; i--) {
    reflectDelete(exposed, exposures[i * 3]); // the engine may have one
  }
  let from = 0;
  for (let i = 0; i < count; i++) {
    if (exposures[i * 3 + 2] === GLOBAL) {
      exposeValues(from, i);
      recordOf(exposures[i * 3 + 1]);
      from = i + 1;
    }
  }
  exposeValues(from, count);
}
exposeAll();
