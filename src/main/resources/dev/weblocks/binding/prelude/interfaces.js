// The prelude, part 4: interface objects, and the objects that stand for Java implementations.

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
