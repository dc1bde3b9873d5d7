// StructuredSerialize and StructuredDeserialize, evaluated once per realm before page script.
// https://html.spec.whatwg.org/multipage/structured-data.html
//
// A value crosses between contexts as a flat list of primitives: a tag, then what the tag needs.
// The prelude's rules hold here too: captured built-ins only, no iteration by protocol, no list with
// a prototype.
(function (isPlatformObject, throwDataCloneError) {
  'use strict';

  const { apply, ownKeys, getPrototypeOf } = Reflect;
  const descriptorOf = Reflect.getOwnPropertyDescriptor;
  const setProto = Object.setPrototypeOf;
  // An own property's descriptor, without what a page may have put on Object.prototype.
  const getOwnPropertyDescriptor = (object, key) => {
    const descriptor = descriptorOf(object, key);
    return descriptor === undefined ? undefined : setProto(descriptor, null);
  };
  const { defineProperty } = Object;
  const isArray = Array.isArray;
  const isView = ArrayBuffer.isView;
  const getterOf = (proto, name) => getOwnPropertyDescriptor(proto, name).get;
  const { get: mapGet, set: mapSet, forEach: mapForEach } = Map.prototype;
  const { add: setAdd, forEach: setForEach } = Set.prototype;
  const MapCtor = Map;
  const SetCtor = Set;
  const DateCtor = Date;
  const RegExpCtor = RegExp;
  const ObjectCtor = Object;
  const ArrayCtor = Array;
  const BigIntCtor = BigInt;
  const ArrayBufferCtor = ArrayBuffer;
  const DataViewCtor = DataView;
  const Uint8ArrayCtor = Uint8Array;
  const mapSize = getterOf(Map.prototype, 'size');
  const setSize = getterOf(Set.prototype, 'size');
  const dateValue = Date.prototype.getTime;
  const regExpSource = getterOf(RegExp.prototype, 'source');
  // the getter of `flags` asks for public properties; these do not
  const REG_EXP_FLAGS = {
    __proto__: null, hasIndices: 'd', global: 'g', ignoreCase: 'i', multiline: 'm', dotAll: 's',
    unicode: 'u', unicodeSets: 'v', sticky: 'y',
  };
  const regExpFlagNames = setProto(ownKeys(REG_EXP_FLAGS), null);
  const regExpFlagGetters = { __proto__: null };
  for (let i = 0; i < regExpFlagNames.length; i++) {
    regExpFlagGetters[regExpFlagNames[i]] = getterOf(RegExp.prototype, regExpFlagNames[i]);
  }
  const numberValue = Number.prototype.valueOf;
  const stringValue = String.prototype.valueOf;
  const booleanValue = Boolean.prototype.valueOf;
  const bigIntValue = BigInt.prototype.valueOf;
  const symbolValue = Symbol.prototype.valueOf;
  const bigIntToString = BigInt.prototype.toString;
  const bufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
  const typedArray = getPrototypeOf(Uint8Array.prototype);
  const viewTag = getterOf(typedArray, Symbol.toStringTag);
  const viewBuffer = getterOf(typedArray, 'buffer');
  const viewOffset = getterOf(typedArray, 'byteOffset');
  const viewLength = getterOf(typedArray, 'length');
  const dataViewBuffer = getterOf(DataView.prototype, 'buffer');
  const dataViewOffset = getterOf(DataView.prototype, 'byteOffset');
  const dataViewLength = getterOf(DataView.prototype, 'byteLength');
  const isError = Error.isError;
  const ERRORS = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const VIEWS = {
    __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
    Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array,
  };
  if (typeof Float16Array === 'function') {
    VIEWS.Float16Array = Float16Array;
  }
  const toStringOf = (value) => `${value}`;

  // True if the method, which checks an internal slot, accepts the value.
  function has(method, value) {
    try {
      apply(method, value, []);
      return true;
    } catch {
      return false;
    }
  }

  function refuse(what) {
    throwDataCloneError(`${what} could not be cloned.`);
  }

  function nameOf(value) {
    return typeof value === 'function' ? 'A function' : 'An object';
  }

  // https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeinternal
  function serialize(input) {
    const out = setProto([], null);
    const memory = new MapCtor();
    const emit = (item) => {
      out[out.length] = item;
    };
    const walk = (value) => {
      switch (typeof value) {
        case 'undefined':
          return emit('undefined');
        case 'boolean':
        case 'number':
        case 'string':
          emit('value');
          return emit(value);
        case 'bigint':
          emit('bigint');
          return emit(apply(bigIntToString, value, []));
        case 'symbol':
          return refuse('A symbol');
        default:
      }
      if (value === null) {
        return emit('null');
      }
      const known = apply(mapGet, memory, [value]);
      if (known !== undefined) {
        emit('again');
        return emit(known);
      }
      apply(mapSet, memory, [value, apply(mapSize, memory, [])]);
      if (typeof value === 'function') {
        return refuse(nameOf(value));
      }
      if (isPlatformObject(value)) {
        return refuse(nameOf(value));
      }
      if (has(booleanValue, value)) {
        emit('Boolean');
        return emit(apply(booleanValue, value, []));
      }
      if (has(numberValue, value)) {
        emit('Number');
        return emit(apply(numberValue, value, []));
      }
      if (has(bigIntValue, value)) {
        emit('BigInt');
        return emit(apply(bigIntToString, apply(bigIntValue, value, []), []));
      }
      if (has(stringValue, value)) {
        emit('String');
        return emit(apply(stringValue, value, []));
      }
      if (has(symbolValue, value)) {
        return refuse('A Symbol object');
      }
      if (has(dateValue, value)) {
        emit('Date');
        return emit(apply(dateValue, value, []));
      }
      if (value !== RegExpCtor.prototype && isRegExp(value)) {
        emit('RegExp');
        emit(apply(regExpSource, value, []));
        return emit(flagsOf(value));
      }
      if (has(bufferLength, value)) {
        return buffer(value);
      }
      if (isView(value)) {
        return view(value);
      }
      if (has(mapSize, value)) {
        return map(value);
      }
      if (has(setSize, value)) {
        return set(value);
      }
      if (isError(value)) {
        return error(value);
      }
      if (isArray(value)) {
        emit('Array');
        emit(value.length);
        return properties(value);
      }
      if (isExotic(value)) {
        return refuse(nameOf(value));
      }
      emit('Object');
      properties(value);
    };

    const flagsOf = (regExp) => {
      let flags = '';
      for (let i = 0; i < regExpFlagNames.length; i++) {
        if (apply(regExpFlagGetters[regExpFlagNames[i]], regExp, [])) {
          flags += REG_EXP_FLAGS[regExpFlagNames[i]];
        }
      }
      return flags;
    };

    const isRegExp = (value) => {
      try {
        apply(regExpSource, value, []);
        return true;
      } catch {
        return false;
      }
    };

    const buffer = (value) => {
      const length = apply(bufferLength, value, []);
      let bytes;
      try {
        bytes = new Uint8ArrayCtor(value);
      } catch {
        return refuse('A detached ArrayBuffer');
      }
      emit('ArrayBuffer');
      emit(length);
      for (let i = 0; i < length; i++) {
        emit(bytes[i]);
      }
    };

    const view = (value) => {
      const tag = apply(viewTag, value, []);
      emit('view');
      if (tag === undefined) {
        emit('DataView');
        emit(apply(dataViewOffset, value, []));
        emit(apply(dataViewLength, value, []));
        return walk(apply(dataViewBuffer, value, []));
      }
      emit(tag);
      emit(apply(viewOffset, value, []));
      emit(apply(viewLength, value, []));
      walk(apply(viewBuffer, value, []));
    };

    // The entries are taken before any is serialized: a getter may change the collection.
    const map = (value) => {
      const entries = setProto([], null);
      apply(mapForEach, value, [(item, key) => {
        entries[entries.length] = key;
        entries[entries.length] = item;
      }]);
      emit('Map');
      emit(entries.length);
      for (let i = 0; i < entries.length; i++) {
        walk(entries[i]);
      }
    };

    const set = (value) => {
      const entries = setProto([], null);
      apply(setForEach, value, [(item) => {
        entries[entries.length] = item;
      }]);
      emit('Set');
      emit(entries.length);
      for (let i = 0; i < entries.length; i++) {
        walk(entries[i]);
      }
    };

    const error = (value) => {
      const name = value.name;
      const kind = name === undefined ? 'Error' : toStringOf(name);
      const message = getOwnPropertyDescriptor(value, 'message');
      const hasMessage = message !== undefined && 'value' in message;
      emit('Error');
      emit(kind in ERRORS ? kind : 'Error');
      emit(hasMessage);
      emit(hasMessage ? toStringOf(message.value) : '');
      const stack = getOwnPropertyDescriptor(value, 'stack');
      emit(stack !== undefined && typeof stack.value === 'string' ? stack.value : '');
    };

    // Own enumerable string keys; gone or hidden ones are skipped, as a getter may delete others.
    const properties = (value) => {
      const keys = setProto(ownKeys(value), null);
      for (let i = 0; i < keys.length; i++) {
        if (typeof keys[i] === 'string') {
          const descriptor = getOwnPropertyDescriptor(value, keys[i]);
          if (descriptor !== undefined && descriptor.enumerable) {
            emit('key');
            emit(keys[i]);
            walk(value[keys[i]]);
          }
        }
      }
      emit('end');
    };

    walk(input);
    return out;
  }

  const weakMapHas = WeakMap.prototype.has;
  const weakSetHas = WeakSet.prototype.has;
  const weakRefDeref = WeakRef.prototype.deref;
  const sharedLength = getterOf(SharedArrayBuffer.prototype, 'byteLength');
  const { unregister } = FinalizationRegistry.prototype;

  // Nothing is registered with a token of our own: asking changes nothing.
  const unregisters = (value) => {
    try {
      apply(unregister, value, [{}]);
      return true;
    } catch {
      return false;
    }
  };

  // Objects with internal slots that are not serializable.
  function isExotic(value) {
    return accepts(weakMapHas, value) || accepts(weakSetHas, value) || has(weakRefDeref, value)
      || has(sharedLength, value) || unregisters(value) || apply(hasInstance, PromiseCtor, [value]);
  }
  const PromiseCtor = Promise;
  const hasInstance = Function.prototype[Symbol.hasInstance];

  function accepts(method, value) {
    try {
      apply(method, value, [undefined]);
      return true;
    } catch {
      return false;
    }
  }

  // https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserialize
  function deserialize() {
    const items = arguments;
    const memory = setProto([], null);
    let at = 0;
    const keep = (object) => {
      memory[memory.length] = object;
      return object;
    };
    const put = (object, key, value) =>
      defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    const read = () => {
      const tag = items[at++];
      switch (tag) {
        case 'undefined':
          return undefined;
        case 'null':
          return null;
        case 'value':
          return items[at++];
        case 'bigint':
          return BigIntCtor(items[at++]);
        case 'again':
          return memory[items[at++]];
        case 'Boolean':
        case 'Number':
        case 'String':
          return keep(ObjectCtor(items[at++]));
        case 'BigInt':
          return keep(ObjectCtor(BigIntCtor(items[at++])));
        case 'Date':
          return keep(new DateCtor(items[at++]));
        case 'RegExp':
          return keep(new RegExpCtor(items[at++], items[at++]));
        case 'ArrayBuffer': {
          const length = items[at++];
          const buffer = keep(new ArrayBufferCtor(length));
          const bytes = new Uint8ArrayCtor(buffer);
          for (let i = 0; i < length; i++) {
            bytes[i] = items[at++];
          }
          return buffer;
        }
        case 'view': {
          const name = items[at++];
          const offset = items[at++];
          const length = items[at++];
          const index = memory.length;
          memory[index] = undefined;
          const buffer = read();
          return (memory[index] = name === 'DataView' ? new DataViewCtor(buffer, offset, length) : new VIEWS[name](buffer, offset, length));
        }
        case 'Map': {
          const map = keep(new MapCtor());
          for (let left = items[at++]; left > 0; left -= 2) {
            const key = read();
            apply(mapSet, map, [key, read()]);
          }
          return map;
        }
        case 'Set': {
          const set = keep(new SetCtor());
          for (let left = items[at++]; left > 0; left--) {
            apply(setAdd, set, [read()]);
          }
          return set;
        }
        case 'Error': {
          const error = keep(new ERRORS[items[at++]]());
          const hasMessage = items[at++];
          const message = items[at++];
          const stack = items[at++];
          const hide = (key, value) =>
            defineProperty(error, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
          if (hasMessage) {
            hide('message', message);
          }
          hide('stack', stack);
          return error;
        }
        case 'Array': {
          const array = keep(new ArrayCtor(items[at++]));
          return readProperties(array);
        }
        case 'Object':
          return readProperties(keep({}));
        default:
          throw new ERRORS.TypeError(`unknown tag ${tag}`);
      }
    };
    const readProperties = (object) => {
      while (items[at++] === 'key') {
        const key = items[at++];
        put(object, key, read());
      }
      return object;
    };
    return read();
  }

  return { __proto__: null, serialize, deserialize };
});
