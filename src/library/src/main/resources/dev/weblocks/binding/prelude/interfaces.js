// The prelude, part 6: interface objects, and the objects for Java implementations.

// Interface records by id; each has proto, ctor and the data for wrap(). An interface is made
// lazily, which may be while page script runs.
const records = newList();
rememberRecords(Array.prototype, recordOf);

function recordOf(id) {
  return records[id] ?? makeRecord(id);
}

// Returns a table by number, or that of a dictionary by name.
function tableOf(which) {
  const write = part(which);
  if (write === null && typeof which === 'string') {
    callSeam(tables.reportException, null, undefined); // throws, as the agent has ended
  }
  return write === null ? undefined : write(tables.emptyList, tables.emptyDictionary);
}

// Returns undefined for an interface that is not exposed.
function makeRecord(id) {
  requireStack();
  const table = tableOf(id);
  if (table === undefined) {
    return undefined;
  }
  const record = installInterface(table);
  records[id] = record;
  return record;
}

function newObject(record, proto) {
  if (!record.error) {
    return create(proto);
  }
  // DOMException objects are real errors: they have [[ErrorData]] and a stack. The engine writes
  // the stack at the first read, and then reads name and message of the object, which no page must
  // observe.
  const object = setProto(new ErrorCtor(), null);
  const { stack } = object;
  if (typeof stack === 'string') {
    define(object, 'stack', stack, false, true, true);
  }
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
function prototypeFor(record, newTarget) {
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
function isPlain(record) {
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
function prepare(object, record, impl, holder) {
  put(object, impl, record, record.backing === undefined ? undefined : record.backing());
  for (let at = record; at !== undefined; at = at.parent) {
    for (let i = 0; i < at.unforgeables.length; i++) {
      at.unforgeables[i](holder);
    }
  }
  if (record.error) {
    stampStack(object, impl);
  }
  return object;
}

// Errors show name and message in the first line of their stack; the engine made it from the empty
// Error that the object was at first. A deserialized error has the stack of the original.
function stampStack(object, impl) {
  const carried = callSeam(tables.carriedStack, impl, undefined);
  if (carried !== null) {
    define(object, 'stack', carried, false, true, true);
    return;
  }
  const { stack } = object;
  if (typeof stack === 'string') {
    const end = apply(indexOf, stack, ['\n    at ']);
    const title = callSeam(tables.errorTitle, impl, undefined);
    define(object, 'stack', end < 0 ? title : title + apply(slice, stack, [end]), false, true, true);
  }
}

// Calls Java to make the implementation, from converted arguments, and prepares the object for it.
function constructObject(record, list, proto) {
  const exotic = record.legacy === null ? undefined : legacyObject(record, proto);
  const object = exotic === undefined ? newObject(record, proto) : exotic.proxy;
  list[1] = object;
  const impl = callJava(list);
  if (exotic !== undefined) {
    exotic.impl = impl;
  }
  return prepare(object, record, impl, exotic === undefined ? object : exotic.target);
}

const CALLED_WITHOUT_NEW = "Please use the 'new' operator, this DOM object constructor cannot be called as a function.";

function constructorOf(record, table) {
  const label = `Failed to construct '${record.name}'`;
  const { name } = record;
  const convert = table.ctor === null ? undefined : compileOverloads(table.ctor, label);
  // A derived class: for any other constructor the engine itself looks up the prototype, before the
  // arguments are converted.
  const target = {
    [name]: class extends null {
      constructor() {
        if (convert === undefined) {
          throw new TypeErrorCtor(`${label}: Illegal constructor`);
        }
        const list = convert(undefined, arguments);
        return constructObject(record, list, new.target === ctor ? record.proto : prototypeFor(record, new.target));
      }
    },
  }[name];
  native(target, name, table.ctor === null ? 0 : table.ctor.length);
  // A proxy, because the engine's message for a class called without `new` does not name the
  // interface. It has no trap for construction, which therefore takes no longer.
  const ctor = new ProxyCtor(target, {
    __proto__: null,
    apply() {
      throw new TypeErrorCtor(`${label}: ${convert === undefined ? 'Illegal constructor' : CALLED_WITHOUT_NEW}`);
    },
  });
  markNative(ctor, name);
  return ctor;
}

// https://webidl.spec.whatwg.org/#js-interfaces
function installInterface(table) {
  const parent = table.parent < 0 ? undefined : recordOf(table.parent);
  const record = {
    __proto__: null,
    id: table.id,
    name: table.name,
    depth: table.chain.length - 1,
    chain: setProto(table.chain, null),
    parent,
    error: table.error,
    legacy: table.legacy,
    unforgeables: newList(),
    unforgeableNames: newList(),
    proto: undefined,
    plain: undefined,
    backing: table.maplike !== null ? newMap : table.setlike !== null ? newSet : undefined,
  };
  const ctor = constructorOf(record, table);
  const proto = ctor.prototype;
  setProto(proto, parent !== undefined ? parent.proto : table.error ? ErrorCtor.prototype : ObjectProto);
  record.proto = proto;
  record.ctor = ctor;
  if (table.globalChain) {
    markImmutablePrototype(proto);
  }
  if (parent !== undefined) {
    setProto(ctor, parent.ctor);
  }
  const target = table.global ? exposed : proto;
  reflectDelete(proto, 'constructor'); // defined later, if at all
  if (table.unscopables.length > 0) {
    const unscopables = create(null);
    for (let i = 0; i < table.unscopables.length; i++) {
      define(unscopables, table.unscopables[i], true, true, true, true);
    }
    define(proto, symbolUnscopables, unscopables, false, false, true);
  }
  for (let i = 0; i < table.consts.length; i++) {
    define(ctor, table.consts[i][0], table.consts[i][1], true, false, false);
  }
  for (let i = 0; i < table.attributes.length; i++) {
    installAttribute(record, ctor, target, table.attributes[i]);
  }
  for (let i = 0; i < table.operations.length; i++) {
    installOperation(record, ctor, target, table.operations[i]);
  }
  if (table.toJSON !== null) {
    installDefaultToJSON(record, target, table.toJSON);
  }
  installIteration(record, target, table);
  for (let i = 0; i < table.consts.length; i++) {
    define(proto, table.consts[i][0], table.consts[i][1], true, false, false);
  }
  if (!table.hidden) {
    define(proto, 'constructor', ctor, false, true, true);
  }
  define(proto, toStringTag, table.name, false, false, true);
  record.factories = setProto(table.factories, null);
  return record;
}

// https://webidl.spec.whatwg.org/#legacy-factory-functions
function legacyFactoryFunction(record, table) {
  const { name } = table;
  const label = `Failed to construct '${name}'`;
  const convert = compileOverloads(table.overloads, label);
  // A proxy, because its prototype property must be the interface's: that of a class cannot be
  // replaced, and a plain function would look up the prototype of `new.target` too early.
  const target = { [name]: function () {} }[name];
  define(target, 'prototype', record.proto, false, false, false);
  native(target, name, table.overloads.length);
  const factory = new ProxyCtor(target, {
    __proto__: null,
    apply() {
      throw new TypeErrorCtor(`${label}: ${CALLED_WITHOUT_NEW}`);
    },
    construct(_, given, newTarget) {
      const list = convert(undefined, setProto(given, null));
      return constructObject(record, list, newTarget === factory ? record.proto : prototypeFor(record, newTarget));
    },
  });
  markNative(factory, name);
  return factory;
}

// https://webidl.spec.whatwg.org/#js-default-tojson
function installDefaultToJSON(record, target, attributes) {
  setProto(attributes, null);
  const label = `Failed to execute 'toJSON' on '${record.name}'`;
  const { toJSON } = {
    toJSON() {
      const impl = receiver(record, this, label);
      const map = {};
      for (let i = 0; i < attributes.length; i++) {
        define(map, attributes[i].name, callSeam(attributes[i].get, impl, undefined), true, true, true);
      }
      return map;
    },
  };
  define(target, 'toJSON', native(toJSON, 'toJSON', 0), true, true, true);
}

// https://webidl.spec.whatwg.org/#js-legacy-callback-interface-object
function installCallbackInterface(table) {
  const { name } = table;
  const object = {
    [name]() {
      throw new TypeErrorCtor('Illegal constructor');
    },
  }[name];
  for (let i = 0; i < table.consts.length; i++) {
    define(object, table.consts[i][0], table.consts[i][1], true, false, false);
  }
  return native(object, name, 0);
}

function installAttribute(record, ctor, target, attribute) {
  const descriptor = accessorOf(record, attribute);
  if (attribute.static) {
    defineProperty(ctor, attribute.name, descriptor);
  } else if (attribute.unforgeable) {
    descriptor.configurable = false;
    record.unforgeables[record.unforgeables.length] = (object) => defineProperty(object, attribute.name, descriptor);
    record.unforgeableNames[record.unforgeableNames.length] = attribute.name;
  } else {
    defineProperty(target, attribute.name, descriptor);
  }
}

function installOperation(record, ctor, target, op) {
  const fn = operation(record, op, callJava);
  if (op.static) {
    define(ctor, op.name, fn, true, true, true);
  } else if (op.unforgeable) {
    record.unforgeables[record.unforgeables.length] = (object) => define(object, op.name, fn, true, false, false);
    record.unforgeableNames[record.unforgeableNames.length] = op.name;
  } else {
    define(target, op.name, fn, true, true, true);
    if (target === exposed) {
      globalOperations[op.name] = { __proto__: null, record, op };
    }
  }
}

// https://webidl.spec.whatwg.org/#js-namespaces
function installNamespace(table) {
  const namespace = {};
  for (let i = 0; i < table.consts.length; i++) {
    define(namespace, table.consts[i][0], table.consts[i][1], true, false, false);
  }
  for (let i = 0; i < table.attributes.length; i++) {
    installAttribute(table, namespace, namespace, table.attributes[i]);
  }
  for (let i = 0; i < table.operations.length; i++) {
    installOperation(table, namespace, namespace, table.operations[i]);
  }
  define(namespace, toStringTag, table.name, false, false, true);
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
    case FACTORY: {
      const record = recordOf(number);
      for (let i = 0; ; i++) {
        if (record.factories[i].name === name) {
          return legacyFactoryFunction(record, record.factories[i]);
        }
      }
    }
    case CALLBACK_INTERFACE:
      return installCallbackInterface(tableOf(number));
    case NAMESPACE:
      return installNamespace(tableOf(number));
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
