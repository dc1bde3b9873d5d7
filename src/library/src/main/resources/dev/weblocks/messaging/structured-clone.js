// Structured serialization, evaluated once per realm before page script, to capture built-ins. Returns
// a function that makes the functions when they are needed first: most windows send no message.
// https://html.spec.whatwg.org/multipage/structured-data.html
//
// A serialized value is a stream of numbers, `code`: a tag, then the operands of the tag. Other
// values are in lists, and the stream contains their indexes: strings, copies of buffers, and the
// states of platform objects, which are objects of Java. Within an agent such a record passes from
// realm to realm unchanged. To cross to another agent, Java takes it apart (`handOver`) and puts it
// together (`takeOver`). In a record that is to cross, Java makes the copies of buffers from the
// start.
//
// Both walks use an explicit stack, so only memory limits the depth. The rules of the prelude apply
// here too: captured built-ins only, no iteration by protocol, no list with a prototype.
//
// isPlatformObject  whether a value is a platform object of this agent
// isProxy           whether an object is a Proxy; runs no code of the object
// errors            see RealmBinding.errors()
// kindOf            see ObjectKind.java
// takeBytes         makes Java's copy of a buffer, from the buffer and its maximum length or -1
// discardObject     discards a transferred object that will not arrive
// maxSize           the limit of a message to another agent, in bytes
// tooLarge          counts a message beyond that limit, and returns the text of its error
// the others        steps of Java for platform objects; return null, or a text, to refuse
(function () {
  'use strict';

  const { apply, getPrototypeOf } = Reflect;
  const { defineProperty, keys: enumerableOwnKeys, hasOwn, setPrototypeOf: setProto } = Object;
  const descriptorOf = Reflect.getOwnPropertyDescriptor;
  // An own property's descriptor, without what a page may have put on Object.prototype.
  const getOwnPropertyDescriptor = (object, key) => {
    const descriptor = descriptorOf(object, key);
    return descriptor === undefined ? undefined : setProto(descriptor, null);
  };
  const getterOf = (proto, name) => getOwnPropertyDescriptor(proto, name).get;
  const newList = () => setProto([], null);
  const listOf = (...items) => setProto(items, null);

  const isArray = Array.isArray;
  const isView = ArrayBuffer.isView;
  const { isRawJSON } = JSON;
  const ObjectCtor = Object;
  const ObjectPrototype = Object.prototype;
  const ArrayPrototype = Array.prototype;
  const objectToString = Object.prototype.toString;
  const functionToString = Function.prototype.toString;
  const errorToString = Error.prototype.toString;
  const { toStringTag } = Symbol;
  const symbolToString = Symbol.prototype.toString;

  const MapCtor = Map;
  const { get: mapGet, set: mapSet, forEach: mapForEach } = Map.prototype;
  const SetCtor = Set;
  const { add: setAdd, forEach: setForEach } = Set.prototype;
  const DateCtor = Date;
  const dateValue = Date.prototype.getTime;
  const RegExpCtor = RegExp;
  const regExpSource = getterOf(RegExp.prototype, 'source');
  // the getter of `flags` reads public properties; these getters do not
  const regExpFlags = listOf(
    listOf('d', 'hasIndices'), listOf('g', 'global'), listOf('i', 'ignoreCase'), listOf('m', 'multiline'),
    listOf('s', 'dotAll'), listOf('u', 'unicode'), listOf('v', 'unicodeSets'), listOf('y', 'sticky'));
  for (let i = 0; i < regExpFlags.length; i++) {
    regExpFlags[i][1] = getterOf(RegExp.prototype, regExpFlags[i][1]);
  }
  const BigIntCtor = BigInt;
  const bigIntToString = BigInt.prototype.toString;
  const bigIntValue = BigInt.prototype.valueOf;
  const numberValue = Number.prototype.valueOf;
  const stringValue = String.prototype.valueOf;
  const booleanValue = Boolean.prototype.valueOf;
  const stringSlice = String.prototype.slice;

  const ArrayBufferCtor = ArrayBuffer;
  const bufferLength = getterOf(ArrayBuffer.prototype, 'byteLength');
  const bufferMaxLength = getterOf(ArrayBuffer.prototype, 'maxByteLength');
  const bufferResizable = getterOf(ArrayBuffer.prototype, 'resizable');
  const bufferDetached = getterOf(ArrayBuffer.prototype, 'detached');
  const { resize: resizeBuffer, transfer: transferBuffer, transferToImmutable } = ArrayBuffer.prototype;
  const bufferImmutable = getOwnPropertyDescriptor(ArrayBuffer.prototype, 'immutable')?.get;
  // https://tc39.es/proposal-immutable-arraybuffer/#sec-isimmutablebuffer
  const isImmutable = (buffer) => bufferImmutable !== undefined && apply(bufferImmutable, buffer, []);
  const DataViewCtor = DataView;
  const dataViewBuffer = getterOf(DataView.prototype, 'buffer');
  const dataViewOffset = getterOf(DataView.prototype, 'byteOffset');
  const dataViewLength = getterOf(DataView.prototype, 'byteLength');
  const typedArray = getPrototypeOf(Uint8Array.prototype);
  const viewTag = getterOf(typedArray, toStringTag);
  const viewBuffer = getterOf(typedArray, 'buffer');
  const viewOffset = getterOf(typedArray, 'byteOffset');
  const viewLength = getterOf(typedArray, 'length');
  const { set: setElements, keys: viewKeys } = typedArray;
  const Uint8ArrayCtor = Uint8Array;
  const Float64ArrayCtor = Float64Array;
  const viewConstructors = listOf(
    DataView, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
    Float32Array, Float64Array, BigInt64Array, BigUint64Array);
  if (typeof Float16Array === 'function') {
    viewConstructors[viewConstructors.length] = Float16Array;
  }
  const errorConstructors = listOf(Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError);
  const TypeErrorCtor = TypeError;

  return (isPlatformObject, isProxy, errors, kindOf, isTransferable, serializeObject, transferObject, deserializeObject, receiveObject, discardObject, takeBytes, maxSize, tooLarge) => {
    const { isError, stackOf } = errors;
    const viewNames = listOf(
      'DataView', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
      'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array');
    const elementSizes = listOf(1, 1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2);
    const viewNumbers = numbersOf(viewNames);
    const errorNumbers = numbersOf(
      listOf('Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'));

    // Returns the indexes of names, by name.
    function numbersOf(names) {
      const numbers = { __proto__: null };
      for (let i = 0; i < names.length; i++) {
        numbers[names[i]] = i;
      }
      return numbers;
    }

    // Tags of the stream.
    const UNDEFINED = 0;
    const NULL = 1;
    const FALSE = 2;
    const TRUE = 3;
    const NUMBER = 4; // value
    const STRING = 5; // string
    const BIGINT = 6; // 1 if negative, string of hexadecimal digits
    const AGAIN = 7; // index in the memory
    const BOOLEAN_OBJECT = 8; // value
    const NUMBER_OBJECT = 9; // value
    const STRING_OBJECT = 10; // string
    const BIGINT_OBJECT = 11; // 1 if negative, string
    const DATE = 12; // time value
    const REG_EXP = 13; // string: source, string: flags
    const BUFFER = 14; // buffer
    const VIEW = 15; // number of its constructor, offset, length or -1 if auto; an item: its buffer
    const MAP = 16; // count; items: a key, a value, …
    const SET = 17; // count; items
    const ERROR = 18; // number of its constructor, string or -1: message, string or -1: stack
    const ARRAY = 19; // length, count of the items from index 0 on; these; then as OBJECT
    const OBJECT = 20; // count; for each: key, an item
    const PLATFORM_OBJECT = 21; // state
    const HOLE = 22; // in place of an item of an array
    const IMMUTABLE_BUFFER = 23; // buffer
    // A key is an array index, or -1 - the number of a string.

    // The results of kindOf(): the ordinals of ObjectKind.java.
    const KIND_OTHER = 0;
    const KIND_ORDINARY = 1;
    const KIND_NAMED_OBJECT = 2;
    const KIND_BOOLEAN = 3;
    const KIND_NUMBER = 4;
    const KIND_STRING = 5;
    const KIND_DATE = 6;
    const KIND_REG_EXP = 7;
    const KIND_BUFFER = 8;
    const KIND_SHARED_BUFFER = 9;
    const KIND_MAP = 10;
    const KIND_SET = 11;

    // The second argument of kindOf(): the object, nested so deeply that the engine's text omits its
    // contents.
    const innermost = { __proto__: null, a: null };
    const shown = { __proto__: null, a: { __proto__: null, a: innermost } };

    // Thrown to refuse a value. Java throws the DataCloneError, since it has the realm and the
    // operation.
    const REFUSED = { __proto__: null };
    let refusal = '';

    function refuse(text) {
      refusal = text;
      throw REFUSED;
    }

    function refuseValue(value) {
      refuse(`${describe(value)} could not be cloned.`);
    }

    // Returns the outcome of steps, or the text of the refusal.
    function outcomeOf(steps) {
      try {
        return steps();
      } catch (error) {
        if (error === REFUSED) {
          return refusal;
        }
        throw error;
      }
    }

    function accepts(method, value) {
      try {
        apply(method, value, []);
        return true;
      } catch {
        return false;
      }
    }

    // Returns the descriptor of the nearest property; null if a proxy is in the way, as no code of a
    // page may run.
    function nearestProperty(object, key) {
      // a platform object may be a Proxy, so its own properties are not read
      let at = isPlatformObject(object) ? getPrototypeOf(object) : object;
      for (; at !== null; at = getPrototypeOf(at)) {
        if (isProxy(at)) {
          return null;
        }
        const descriptor = getOwnPropertyDescriptor(at, key);
        if (descriptor !== undefined) {
          return descriptor;
        }
      }
      return undefined;
    }

    // Returns the value of the nearest property, if it is a data property.
    function dataProperty(object, key) {
      return nearestProperty(object, key)?.value;
    }

    // Returns the text for a value in messages: that of V8, without side effects.
    function describe(value) {
      if (typeof value === 'symbol') {
        return apply(symbolToString, value, []);
      }
      if (typeof value === 'function') {
        return apply(functionToString, value, []);
      }
      if (isProxy(value) && !isPlatformObject(value)) {
        return '#<Object>';
      }
      const toString = dataProperty(value, 'toString');
      if (toString === objectToString || toString === errorToString) {
        const constructor = dataProperty(value, 'constructor');
        const name = typeof constructor === 'function' ? dataProperty(constructor, 'name') : undefined;
        if (typeof name === 'string' && name !== '') {
          return `#<${name}>`;
        }
      }
      const tag = dataProperty(value, toStringTag);
      return `[object ${typeof tag === 'string' ? tag : isArray(value) ? 'Array' : 'Object'}]`;
    }

    // https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializewithtransfer
    // The numbers are those of the steps. Returns a record, or the text of a DataCloneError.
    function structuredSerializeWithTransfer(value, transferList, crosses) {
      return outcomeOf(() => {
        const memory = new MapCtor(); // 1
        const buffers = newList();
        let transferredSize = 0;
        for (let i = 0; i < transferList.length; i++) { // 2
          const transferable = transferList[i];
          const isBuffer = accepts(bufferLength, transferable); // 2.2: a SharedArrayBuffer is none
          if (!isBuffer && !(isPlatformObject(transferable) && isTransferable(transferable))) { // 2.1
            refuse(`Value at index ${i} does not have a transferable type.`);
          }
          if (isBuffer && isImmutable(transferable)) { // https://github.com/whatwg/html/pull/11033
            refuse(`ArrayBuffer at index ${i} is immutable and could not be transferred.`);
          }
          if (apply(mapGet, memory, [transferable]) !== undefined) { // 2.3
            refuse(`${isBuffer ? 'ArrayBuffer' : 'Object'} at index ${i} is a duplicate of an earlier one.`);
          }
          apply(mapSet, memory, [transferable, i]); // 2.4
          buffers[i] = isBuffer;
          transferredSize += isBuffer ? apply(bufferLength, transferable, []) : 8;
        }
        const record = structuredSerializeInternal(value, false, memory, transferList.length, crosses, transferredSize); // 3
        const holders = newList(); // 4
        try {
          for (let i = 0; i < transferList.length; i++) { // 5
            const transferable = transferList[i];
            if (!buffers[i]) {
              holders[i] = arrived(transferObject(transferable)); // 5.2, 5.5
              continue;
            }
            if (apply(bufferDetached, transferable, [])) { // 5.1
              refuse(`ArrayBuffer at index ${i} is already detached.`);
            }
            holders[i] = apply(transferBuffer, transferable, []); // 5.4
          }
        } catch (error) {
          discardAll(holders);
          throw error;
        }
        record.holders = holders;
        return record; // 6
      });
    }

    // https://html.spec.whatwg.org/multipage/structured-data.html#structuredserialize and
    // https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeforstorage
    function structuredSerialize(value, forStorage, crosses) {
      return outcomeOf(() => structuredSerializeInternal(value, forStorage, new MapCtor(), 0, crosses, 0));
    }

    // The state of a container that is being serialized. `items` are the entries of a Map or Set, or
    // the keys of an object.
    function newFrame(outer, object, items) {
      return { __proto__: null, outer, object, items, at: 0, dense: 0, count: 0, patch: -1, keyed: object !== null };
    }

    // https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeinternal
    // The numbers are those of the steps. `remembered` is the size of the memory. A record that
    // `crosses` to another agent contains each short string once, since strings are expensive to hand
    // over. Its size is limited; `bytes` is that of the transferred objects.
    function structuredSerializeInternal(input, forStorage, memory, remembered, crosses, bytes) {
      const code = newList();
      let end = 0;
      const strings = newList();
      const buffers = newList();
      const states = newList();
      const known = crosses ? new MapCtor() : undefined;

      const stringNumber = (string) => {
        if (!crosses || string.length > 64) {
          bytes += 2 * string.length;
          strings[strings.length] = string;
          return strings.length - 1;
        }
        let number = apply(mapGet, known, [string]);
        if (number === undefined) {
          bytes += 2 * string.length;
          number = strings.length;
          strings[number] = string;
          apply(mapSet, known, [string, number]);
        }
        return number;
      };

      const writeBigInt = (tag, value) => {
        const negative = value < 0n;
        const digits = apply(bigIntToString, value, [16]);
        code[end++] = tag;
        code[end++] = negative ? 1 : 0;
        code[end++] = stringNumber(negative ? apply(stringSlice, digits, [1]) : digits);
      };

      const requireSize = () => {
        if (crosses && bytes + 8 * end > maxSize) {
          refuse(tooLarge());
        }
      };

      // 25: objects are numbered in this order
      const remember = (value) => {
        apply(mapSet, memory, [value, remembered++]);
      };

      // Writes the tag of a value and, for an object without parts, all of it. Returns the next
      // frame: `outer`, or a new one for the parts.
      const begin = (value, outer) => {
        requireSize();
        switch (typeof value) { // 4
          case 'undefined':
            code[end++] = UNDEFINED;
            return outer;
          case 'boolean':
            code[end++] = value ? TRUE : FALSE;
            return outer;
          case 'number':
            code[end++] = NUMBER;
            code[end++] = value;
            return outer;
          case 'string':
            code[end++] = STRING;
            code[end++] = stringNumber(value);
            return outer;
          case 'bigint':
            writeBigInt(BIGINT, value);
            return outer;
          case 'object':
            if (value === null) {
              code[end++] = NULL;
              return outer;
            }
            break;
          default: // 5, 21; platform objects are never callable
            refuseValue(value);
        }
        const number = apply(mapGet, memory, [value]);
        if (number !== undefined) { // 2
          code[end++] = AGAIN;
          code[end++] = number;
          return outer;
        }
        if (isPlatformObject(value)) { // 19, 20
          const state = serializeObject(value, forStorage);
          if (state === null) {
            refuseValue(value);
          }
          remember(value);
          code[end++] = PLATFORM_OBJECT;
          code[end++] = states.length;
          states[states.length] = state;
          return outer;
        }
        if (isView(value)) { // 14
          writeView(value);
          return outer;
        }
        if (isError(value)) { // 17
          writeError(value);
          return outer;
        }
        if (looksLikeArray(value)) { // 18
          return isProxy(value) ? refuseValue(value) : beginArray(value, outer); // 23
        }
        innermost.a = value;
        const kind = kindOf(value, shown);
        innermost.a = null;
        switch (kind) {
          case KIND_ORDINARY: // 24
            return beginObject(value, outer);
          case KIND_NAMED_OBJECT:
            if (accepts(bigIntValue, value)) { // 9
              remember(value);
              writeBigInt(BIGINT_OBJECT, apply(bigIntValue, value, []));
              return outer;
            }
            // %Object.prototype% of any realm, and the groups of a match, which have null as prototype; the
            // others have slots: iterator helpers, the segments of a text, raw JSON
            if (getPrototypeOf(value) === null && !isRawJSON(value)) {
              return beginObject(value, outer);
            }
            return refuseValue(value); // 22
          case KIND_BOOLEAN: // 7
            remember(value);
            code[end++] = BOOLEAN_OBJECT;
            code[end++] = apply(booleanValue, value, []) ? 1 : 0;
            return outer;
          case KIND_NUMBER: // 8
            remember(value);
            code[end++] = NUMBER_OBJECT;
            code[end++] = apply(numberValue, value, []);
            return outer;
          case KIND_STRING: // 10
            remember(value);
            code[end++] = STRING_OBJECT;
            code[end++] = stringNumber(apply(stringValue, value, []));
            return outer;
          case KIND_DATE: // 11
            remember(value);
            code[end++] = DATE;
            code[end++] = apply(dateValue, value, []);
            return outer;
          case KIND_REG_EXP: // 12
            remember(value);
            code[end++] = REG_EXP;
            code[end++] = stringNumber(apply(regExpSource, value, []));
            code[end++] = stringNumber(flagsOf(value));
            return outer;
          case KIND_BUFFER:
          case KIND_SHARED_BUFFER: // 13
            writeBuffer(value, kind);
            return outer;
          case KIND_MAP:
            return beginMap(value, outer);
          case KIND_SET:
            return beginSet(value, outer);
          case KIND_OTHER:
          default:
            return refuseValue(value); // 22, 23
        }
      };

      // 13
      const writeBuffer = (value, kind) => {
        if (kind === KIND_SHARED_BUFFER) { // 13.1: no agent of ours is cross-origin isolated
          refuse(
            forStorage
              ? 'A SharedArrayBuffer can not be serialized for storage.'
              : 'SharedArrayBuffer transfer requires self.crossOriginIsolated.');
        }
        if (apply(bufferDetached, value, [])) { // 13.2.1
          refuse('An ArrayBuffer is detached and could not be cloned.');
        }
        bytes += apply(bufferLength, value, []);
        requireSize();
        buffers[buffers.length] = crosses ? takeBytes(value, maxLengthOf(value)) : copyOf(value);
        remember(value);
        code[end++] = isImmutable(value) ? IMMUTABLE_BUFFER : BUFFER;
        code[end++] = buffers.length - 1;
      };

      // 14; the memory has the buffer before the view
      const writeView = (value) => {
        const tag = apply(viewTag, value, []);
        const number = tag === undefined ? 0 : viewNumbers[tag];
        if (number === undefined) {
          refuseValue(value);
        }
        const buffer = apply(number === 0 ? dataViewBuffer : viewBuffer, value, []);
        const plain = accepts(bufferLength, buffer);
        if (!plain) {
          writeBuffer(buffer, KIND_SHARED_BUFFER);
        }
        if (apply(bufferDetached, buffer, [])) {
          refuse('An ArrayBuffer is detached and could not be cloned.');
        }
        if (isOutOfBounds(value, number)) { // 14.1
          refuseValue(value);
        }
        code[end++] = VIEW;
        code[end++] = number;
        code[end++] = apply(number === 0 ? dataViewOffset : viewOffset, value, []);
        code[end++] = tracksLength(value, number, buffer) ? -1 : lengthOf(value, number);
        const again = apply(mapGet, memory, [buffer]);
        if (again !== undefined) {
          code[end++] = AGAIN;
          code[end++] = again;
        } else {
          writeBuffer(buffer, KIND_BUFFER);
        }
        remember(value);
      };

      // 17
      const writeError = (value) => {
        const { name } = value;
        const number = typeof name === 'string' && name in errorNumbers ? errorNumbers[name] : 0;
        const message = getOwnPropertyDescriptor(value, 'message');
        const text = message !== undefined && 'value' in message ? `${message.value}` : undefined;
        const stack = stackOf(value);
        remember(value);
        code[end++] = ERROR;
        code[end++] = number;
        code[end++] = text === undefined ? -1 : stringNumber(text);
        code[end++] = stack === null ? -1 : stringNumber(stack);
      };

      // 15, 26.1: the entries are copied before any is serialized, since a getter may change the Map
      const beginMap = (value, outer) => {
        remember(value);
        const entries = newList();
        let size = 0;
        apply(mapForEach, value, [(item, key) => {
          entries[size++] = key;
          entries[size++] = item;
        }]);
        code[end++] = MAP;
        code[end++] = size;
        return newFrame(outer, null, entries);
      };

      // 16, 26.2
      const beginSet = (value, outer) => {
        remember(value);
        const entries = newList();
        let size = 0;
        apply(setForEach, value, [(item) => {
          entries[size++] = item;
        }]);
        code[end++] = SET;
        code[end++] = size;
        return newFrame(outer, null, entries);
      };

      const beginObject = (value, outer) => {
        remember(value);
        const frame = newFrame(outer, value, enumerableOwnKeys(value));
        code[end++] = OBJECT;
        frame.patch = end;
        code[end++] = 0;
        return frame;
      };

      // 18. Keys come in ascending order, indexes first: if the last index of the array is key number
      // `length - 1`, then all indexes are present.
      const beginArray = (value, outer) => {
        remember(value);
        const frame = newFrame(outer, value, enumerableOwnKeys(value));
        const { length } = value;
        code[end++] = ARRAY;
        code[end++] = length;
        if (length > 0 && frame.items.length >= length && frame.items[length - 1] === `${length - 1}`) {
          frame.dense = length;
        }
        code[end++] = frame.dense;
        if (frame.dense === 0) {
          frame.patch = end;
          code[end++] = 0;
        }
        return frame;
      };

      const keyOf = (object, key) => {
        if (isArray(object)) {
          const index = +key >>> 0;
          if (index !== 4294967295 && `${index}` === key) {
            return index;
          }
        }
        return -1 - stringNumber(key);
      };

      // 26, with a stack of frames in place of the recursion
      let frame = begin(input, null);
      while (frame !== null) {
        const at = frame.at++;
        if (at >= frame.items.length) {
          if (frame.keyed) {
            if (frame.patch < 0) { // a dense array without other properties
              frame.patch = end;
              code[end++] = 0;
            }
            code[frame.patch] = frame.count;
          }
          frame = frame.outer;
        } else if (!frame.keyed) {
          frame = begin(frame.items[at], frame);
        } else if (at < frame.dense) {
          if (hasOwn(frame.object, at)) { // 26.4.1: a getter may have deleted it
            frame = begin(frame.object[at], frame);
          } else {
            code[end++] = HOLE;
          }
        } else {
          if (frame.patch < 0) {
            frame.patch = end;
            code[end++] = 0;
          }
          const { object } = frame;
          const key = frame.items[at];
          if (hasOwn(object, key)) { // 26.4.1
            const value = object[key];
            frame.count++;
            code[end++] = keyOf(object, key);
            frame = begin(value, frame);
          }
        }
      }
      requireSize();
      return { __proto__: null, code, strings, buffers, states, holders: newList() };
    }

    // Returns true for arrays and for proxies of arrays; refuses a revoked proxy.
    function looksLikeArray(value) {
      try {
        return isArray(value);
      } catch {
        return refuseValue(value);
      }
    }

    function flagsOf(regExp) {
      let flags = '';
      for (let i = 0; i < regExpFlags.length; i++) {
        if (apply(regExpFlags[i][1], regExp, [])) {
          flags += regExpFlags[i][0];
        }
      }
      return flags;
    }

    // Copies a buffer, without `slice`, which would read the constructor of the buffer.
    function copyOf(buffer) {
      const length = apply(bufferLength, buffer, []);
      const copy = newBuffer(length, maxLengthOf(buffer));
      if (length > 0) {
        apply(setElements, new Uint8ArrayCtor(copy), [new Uint8ArrayCtor(buffer)]);
      }
      return copy;
    }

    // Returns an ArrayBuffer of this realm, resizable unless `maxByteLength` is -1.
    function newBuffer(length, maxByteLength) {
      return maxByteLength < 0 ? new ArrayBufferCtor(length) : new ArrayBufferCtor(length, { __proto__: null, maxByteLength });
    }

    function lengthOf(view, number) {
      return apply(number === 0 ? dataViewLength : viewLength, view, []);
    }

    // https://tc39.es/ecma262/#sec-istypedarrayoutofbounds, #sec-isviewoutofbounds
    function isOutOfBounds(view, number) {
      return !accepts(number === 0 ? dataViewOffset : viewKeys, view);
    }

    // Returns whether the length of a view in bounds is auto. No property shows it, so the buffer is
    // resized, and then back, to see whether the length follows. If it can neither grow nor shrink
    // enough, no script can observe it.
    function tracksLength(view, number, buffer) {
      if (!apply(bufferResizable, buffer, [])) {
        return false;
      }
      const size = apply(bufferLength, buffer, []);
      const room = apply(bufferMaxLength, buffer, []) - size;
      const elementSize = elementSizes[number];
      const length = lengthOf(view, number);
      const viewEnd = apply(number === 0 ? dataViewOffset : viewOffset, view, []) + length * elementSize;
      const behind = size - viewEnd;
      if (behind >= elementSize) {
        return false;
      }
      if (behind + room >= elementSize) {
        apply(resizeBuffer, buffer, [viewEnd + elementSize]);
        const grown = lengthOf(view, number) !== length;
        apply(resizeBuffer, buffer, [size]);
        return grown;
      }
      if (length === 0) {
        return false;
      }
      const cut = viewEnd - 1;
      const lost = new Uint8ArrayCtor(new Uint8ArrayCtor(buffer, cut));
      apply(resizeBuffer, buffer, [cut]);
      const tracks = !isOutOfBounds(view, number);
      apply(resizeBuffer, buffer, [size]);
      apply(setElements, new Uint8ArrayCtor(buffer, cut), [lost]);
      return tracks;
    }

    // https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserializewithtransfer
    // Returns {value, transferred}, or the text of a DataCloneError. Consumes the record: its buffers
    // become those of the result.
    function structuredDeserializeWithTransfer(record) {
      return outcomeOf(() => {
        const memory = newList();
        const transferred = newList();
        try {
          for (let i = 0; i < record.holders.length; i++) {
            const holder = record.holders[i];
            const value = accepts(bufferLength, holder) ? adopt(holder) : arrived(receiveObject(holder));
            memory[i] = value;
            transferred[i] = value;
          }
          return { __proto__: null, value: structuredDeserialize(record, memory), transferred };
        } catch (error) {
          discardAll(record.holders);
          throw error;
        }
      });
    }

    // Discards all transferred objects, also those that have arrived already.
    function discardAll(holders) {
      for (let i = 0; i < holders.length; i++) {
        if (!accepts(bufferLength, holders[i])) {
          discardObject(holders[i]);
        }
      }
    }

    // Moves a buffer that no page has seen to this realm.
    function adopt(buffer, immutable = false) {
      if (immutable && transferToImmutable === undefined) {
        refuse('Immutable ArrayBuffers are not available here.');
      }
      try {
        return apply(immutable ? transferToImmutable : transferBuffer, buffer, []);
      } catch {
        return refuse('An ArrayBuffer could not be allocated.');
      }
    }

    // Returns an object from Java, or refuses with its text.
    function arrived(object) {
      return typeof object === 'string' ? refuse(object) : object;
    }

    // https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserialize
    function structuredDeserialize(record, memory) {
      const { code, strings, buffers, states } = record;
      let at = 0;
      // The container that is being filled: `left` items are missing, `dense` of them without a key.
      // A new object or array has no prototype until it is complete, so that assignments define own
      // properties.
      let frame = null;
      const open = (object, left, dense, length, proto) => {
        memory[memory.length] = object;
        frame = { __proto__: null, outer: frame, object, left, dense, length, proto, key: undefined, hasKey: false };
        return object;
      };
      const keep = (object) => {
        memory[memory.length] = object;
        return object;
      };
      const readBigInt = () => {
        const negative = code[at++] === 1;
        const value = BigIntCtor(`0x${strings[code[at++]]}`);
        return negative ? -value : value;
      };
      const readBuffer = () => {
        const tag = code[at++];
        return tag === AGAIN ? memory[code[at++]] : keep(adopt(buffers[code[at++]], tag === IMMUTABLE_BUFFER));
      };
      const readView = () => {
        const View = viewConstructors[code[at++]];
        const offset = code[at++];
        const length = code[at++];
        const buffer = readBuffer();
        try {
          return keep(length < 0 ? new View(buffer, offset) : new View(buffer, offset, length));
        } catch {
          return refuse('A view is out of the bounds of its buffer.'); // resized after it was serialized
        }
      };
      const readError = () => {
        const error = keep(new errorConstructors[code[at++]]());
        const message = code[at++];
        const stack = code[at++];
        const hide = (key, value) =>
          defineProperty(error, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
        if (message >= 0) {
          hide('message', strings[message]);
        }
        if (stack >= 0) {
          hide('stack', strings[stack]);
        } else {
          delete error.stack;
        }
        return error;
      };

      for (;;) {
        const target = frame;
        let value;
        let hole = false;
        switch (code[at++]) {
          case UNDEFINED:
            break;
          case NULL:
            value = null;
            break;
          case FALSE:
            value = false;
            break;
          case TRUE:
            value = true;
            break;
          case NUMBER: {
            // a number from another agent is a double here, and the engine would keep it as one
            const number = code[at++];
            const integer = number | 0;
            value = integer === number && (integer !== 0 || 1 / number > 0) ? integer : number;
            break;
          }
          case STRING:
            value = strings[code[at++]];
            break;
          case BIGINT:
            value = readBigInt();
            break;
          case AGAIN:
            value = memory[code[at++]];
            break;
          case BOOLEAN_OBJECT:
            value = keep(ObjectCtor(code[at++] === 1));
            break;
          case NUMBER_OBJECT:
            value = keep(ObjectCtor(code[at++]));
            break;
          case STRING_OBJECT:
            value = keep(ObjectCtor(strings[code[at++]]));
            break;
          case BIGINT_OBJECT:
            value = keep(ObjectCtor(readBigInt()));
            break;
          case DATE:
            value = keep(new DateCtor(code[at++]));
            break;
          case REG_EXP:
            value = keep(new RegExpCtor(strings[code[at++]], strings[code[at++]]));
            break;
          case BUFFER:
          case IMMUTABLE_BUFFER:
            at--;
            value = readBuffer();
            break;
          case VIEW:
            value = readView();
            break;
          case ERROR:
            value = readError();
            break;
          case PLATFORM_OBJECT:
            value = keep(arrived(deserializeObject(states[code[at++]])));
            break;
          case MAP:
            value = open(new MapCtor(), code[at++], 0, -1, null);
            break;
          case SET:
            value = open(new SetCtor(), code[at++], 0, -2, null);
            break;
          case OBJECT:
            value = open({ __proto__: null }, code[at++], 0, -3, ObjectPrototype);
            break;
          case ARRAY: {
            const length = code[at++];
            const dense = code[at++];
            value = open(newList(), dense, dense, length, ArrayPrototype);
            if (dense === 0) {
              frame.left = code[at++];
            }
            break;
          }
          case HOLE:
            hole = true;
            break;
          default:
            throw new TypeErrorCtor('unknown tag in a serialized value');
        }

        // add it to its container
        if (target !== null) {
          target.left--;
          const { object } = target;
          if (target.proto === null) {
            if (target.length === -2) {
              apply(setAdd, object, [value]);
            } else if (target.hasKey) {
              apply(mapSet, object, [target.key, value]);
              target.hasKey = false;
            } else {
              target.key = value;
              target.hasKey = true;
            }
          } else if (target.dense > 0) {
            if (!hole) {
              object[target.length - target.dense] = value;
            }
            if (--target.dense === 0) {
              target.left = -1; // the count of the other properties follows these items
            }
          } else {
            object[target.key] = value;
          }
        }

        // leave the containers that are complete
        for (;;) {
          if (frame === null) {
            return value;
          }
          if (frame.left < 0) {
            frame.left = code[at++];
          }
          if (frame.left > 0) {
            break;
          }
          const { object, length, proto, outer } = frame;
          if (length >= 0 && object.length !== length) {
            object.length = length;
          }
          if (proto !== null) {
            setProto(object, proto);
          }
          if (outer === null) {
            return object;
          }
          frame = outer;
        }
        if (frame.proto !== null && frame.dense === 0) {
          const key = code[at++];
          frame.key = key < 0 ? strings[-1 - key] : key;
        }
      }
    }

    // Passes the parts of a record to Java in one call, the numbers as one buffer.
    function handOver(record, accept) {
      const { code, strings, buffers, states, holders } = record;
      const numbers = new Float64ArrayCtor(code.length);
      apply(setElements, numbers, [code]);
      accept(apply(viewBuffer, numbers, []), strings, buffers, states, holders);
    }

    // Returns the maximum length of a resizable buffer; -1 for another one.
    function maxLengthOf(buffer) {
      return apply(bufferResizable, buffer, []) ? apply(bufferMaxLength, buffer, []) : -1;
    }

    // Returns a record made of parts that were handed over: the code and four counts, then the
    // strings, buffers, states and holders.
    function takeOver(code, stringCount, bufferCount, stateCount, holderCount) {
      const all = arguments;
      let from = 5;
      const take = (count) => {
        const list = newList();
        for (let i = 0; i < count; i++) {
          list[i] = all[from++];
        }
        return list;
      };
      const record = { __proto__: null, code: new Float64ArrayCtor(code), strings: null, buffers: null, states: null, holders: null };
      record.strings = take(stringCount);
      record.buffers = take(bufferCount);
      record.states = take(stateCount);
      record.holders = take(holderCount);
      return record;
    }

    // Returns a new buffer for bytes of Java; null if it cannot be allocated.
    function allocate(length, maxByteLength) {
      try {
        return newBuffer(length, maxByteLength);
      } catch {
        return null;
      }
    }

    return {
      __proto__: null, structuredSerialize, structuredSerializeWithTransfer, structuredDeserializeWithTransfer, handOver,
      takeOver, maxLengthOf, allocate,
    };
  };
});
