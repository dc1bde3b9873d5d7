// The console's texts of values: the Formatter of the Console Standard and the texts that its
// Printer joins. Evaluated once per realm before page script, to capture built-ins. The functions
// are made when they are needed first: most windows log nothing.
// https://console.spec.whatwg.org/
//
// Inspecting a value must not run page code. So no property is read by Get: own properties are read
// through their descriptors, getters are named and not called, internal slots are read with captured
// built-ins, and no operation is performed on a proxy. The prelude's rules hold here too: no
// iteration by protocol, no list with a prototype. Only formatter() runs page code, where the
// standard converts with String, parseInt and parseFloat.
//
// All texts are bounded, and say what they leave out.
//
// isProxy           whether an object is a Proxy of any realm; performs no operation on it
// isPlatformObject  whether it is an object of an interface; some of these are internal proxies
// errors            reads errors without page code, see RealmBinding.errors()
(function () {
  'use strict';

  // Nesting depth of objects, entries of one object, index steps in one array, keys examined,
  // characters of a nested and of an outer string, characters and objects of one message, columns
  // of a line, prototypes of one object, characters of a name, rows and columns of a table, characters
  // of a cell.
  const LIMITS = {
    __proto__: null, depth: 4, items: 100, steps: 1000, keys: 10000, nested: 10000, outer: 100000, total: 200000,
    objects: 5000, width: 76, chain: 100, name: 200, rows: 1000, columns: 50, cell: 200,
  };
  const BIG_BITS = 4096n; // larger BigInts are slow to convert to decimal digits

  const { apply, ownKeys, getPrototypeOf } = Reflect;
  const descriptorOf = Reflect.getOwnPropertyDescriptor;
  const setProto = Object.setPrototypeOf;
  const own = (object, key) => {
    const descriptor = descriptorOf(object, key);
    return descriptor === undefined ? undefined : setProto(descriptor, null);
  };
  const getterOf = (proto, name) => own(proto, name).get;
  const newList = () => setProto([], null);
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { toStringTag } = Symbol;
  const StringCtor = String;
  const parseIntOf = parseInt;
  const parseFloatOf = parseFloat;
  const { charCodeAt, indexOf, isWellFormed } = String.prototype;
  const stringSlice = String.prototype.slice;
  const slice = (text, from, to) => apply(stringSlice, text, [from, to]);
  const codeAt = (text, index) => apply(charCodeAt, text, [index]);
  const find = (text, part, from) => apply(indexOf, text, [part, from]);
  const numberToString = Number.prototype.toString;
  const symbolToString = Symbol.prototype.toString;
  const objectToString = Object.prototype.toString;
  const functionToString = Function.prototype.toString;
  const toISOString = Date.prototype.toISOString;
  const globalObject = globalThis;
  const ObjectPrototype = Object.prototype;
  const FunctionPrototype = Function.prototype;
  const MapCtor = Map;
  const mapGet = Map.prototype.get;
  const mapPut = Map.prototype.set;
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const mapNext = getPrototypeOf(new Map().entries()).next;
  const setNext = getPrototypeOf(new Set().values()).next;
  const Uint8ArrayCtor = Uint8Array;
  const typedArray = getPrototypeOf(Uint8Array.prototype);
  const viewTag = getterOf(typedArray, toStringTag);
  const viewLength = getterOf(typedArray, 'length');
  const dataViewLength = getterOf(DataView.prototype, 'byteLength');
  const dataViewOffset = getterOf(DataView.prototype, 'byteOffset');
  const REG_EXP_FLAGS = {
    __proto__: null, hasIndices: 'd', global: 'g', ignoreCase: 'i', multiline: 'm', dotAll: 's',
    unicode: 'u', unicodeSets: 'v', sticky: 'y',
  };
  const flagNames = setProto(ownKeys(REG_EXP_FLAGS), null);
  const flagGetters = { __proto__: null };
  for (let i = 0; i < flagNames.length; i++) {
    flagGetters[flagNames[i]] = getterOf(RegExp.prototype, flagNames[i]);
  }

  // Built-ins that read an internal slot, and so throw for an object without it.
  const SLOTS = {
    __proto__: null,
    Map: getterOf(Map.prototype, 'size'),
    Set: getterOf(Set.prototype, 'size'),
    Date: Date.prototype.getTime,
    RegExp: getterOf(RegExp.prototype, 'source'),
    Number: Number.prototype.valueOf,
    String: String.prototype.valueOf,
    Boolean: Boolean.prototype.valueOf,
    BigInt: BigInt.prototype.valueOf,
    Symbol: Symbol.prototype.valueOf,
    ArrayBuffer: getterOf(ArrayBuffer.prototype, 'byteLength'),
    WeakMap: WeakMap.prototype.has,
    WeakSet: WeakSet.prototype.has,
  };
  if (typeof SharedArrayBuffer === 'function') { // the embedder's context may lack it
    SLOTS.SharedArrayBuffer = getterOf(SharedArrayBuffer.prototype, 'byteLength');
  }
  const builtIns = setProto(ownKeys(SLOTS), null);
  const slotNames = newList();
  const slotPrototypes = newList();
  const addSlot = (name, prototype) => {
    slotPrototypes[slotNames.length] = prototype;
    slotNames[slotNames.length] = name;
  };
  const temporalTexts = { __proto__: null };
  // before Date, whose methods accept Temporal's instants in this engine
  if (typeof Temporal === 'object') {
    const getters = {
      __proto__: null, Instant: 'epochNanoseconds', ZonedDateTime: 'epochNanoseconds', PlainDateTime: 'hour', PlainDate: 'day',
      PlainTime: 'hour', PlainYearMonth: 'month', PlainMonthDay: 'monthCode', Duration: 'years',
    };
    const names = setProto(ownKeys(getters), null);
    for (let i = 0; i < names.length; i++) {
      const name = `Temporal.${names[i]}`;
      const { prototype } = own(Temporal, names[i]).value;
      SLOTS[name] = getterOf(prototype, getters[names[i]]);
      addSlot(name, prototype);
      temporalTexts[name] = own(prototype, 'toString').value;
    }
  }
  for (let i = 0; i < builtIns.length; i++) {
    addSlot(builtIns[i], own(globalObject, builtIns[i]).value.prototype);
  }
  const bufferImmutable = own(ArrayBuffer.prototype, 'immutable')?.get;
  const plainPrototypes = setProto([
    Object.prototype, Function.prototype, Array.prototype, Error.prototype, RangeError.prototype, TypeError.prototype,
    Promise.prototype, Uint8Array.prototype, DataView.prototype, WeakRef.prototype], null);

  return (isProxy, isPlatformObject, errors) => {
    const { isError, isStackPlain, stackOf, textOf } = errors;
    const hasSlot = (name, value) => {
      try {
        apply(SLOTS[name], value, [undefined]);
        return true;
      } catch {
        return false;
      }
    };

    const big = 1n << BIG_BITS;

    // Prototypes that are known not to be proxies, and the slot that objects with such a prototype
    // are likely to have.
    const intrinsics = new MapCtor();
    const note = (proto, slot) => apply(mapPut, intrinsics, [proto, slot]);
    for (let i = 0; i < slotNames.length; i++) {
      note(slotPrototypes[i], slotNames[i]);
    }
    for (let i = 0; i < plainPrototypes.length; i++) {
      note(plainPrototypes[i], '');
    }
    note(typedArray, '');
    const functionKinds = new MapCtor();
    const kind = (fn, text) => {
      note(getPrototypeOf(fn), '');
      apply(mapPut, functionKinds, [getPrototypeOf(fn), text]);
    };
    kind(async () => {}, 'AsyncFunction');
    kind(function* () {}, 'GeneratorFunction');
    kind(async function* () {}, 'AsyncGeneratorFunction');
    kind(() => {}, 'Function');

    // ---- The remaining budget of one message

    function newRun() {
      return {
        __proto__: null, generic: false, depth: LIMITS.depth, left: LIMITS.total, objects: LIMITS.objects,
        path: newList(), depthNow: 0, protos: new MapCtor(), singleLine: false,
      };
    }

    function spend(run, text) {
      if (text.length <= run.left) {
        run.left -= text.length;
        return text;
      }
      const kept = slice(text, 0, run.left);
      run.left = 0;
      return `${kept}...`;
    }

    const isSpent = (run) => run.left <= 0 || run.objects <= 0;

    const more = (count, what, many) => `... ${count} more ${count === 1 ? what : many}`;

    // Returns at most `limit` characters, followed by a note of how many were left out.
    function cut(text, limit) {
      return text.length <= limit
        ? text
        : `${slice(text, 0, limit)}${more(text.length - limit, 'character', 'characters')}`;
    }

    // ---- Primitive values

    const numberText = (value) => (value === 0 && 1 / value < 0 ? '-0' : `${value}`);

    function bigIntText(value) {
      if (value < big && value > -big) {
        return `${value}n`;
      }
      return value > 0n ? `[BigInt of more than ${BIG_BITS} bits]` : `[negative BigInt of more than ${BIG_BITS} bits]`;
    }

    const symbolText = (value) => cut(apply(symbolToString, value, []), LIMITS.nested);

    const hex = (code, digits) => {
      let text = apply(numberToString, code, [16]);
      while (text.length < digits) {
        text = `0${text}`;
      }
      return text;
    };

    const ESCAPES = { __proto__: null, 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 39: "\\'", 92: '\\\\' };

    function quote(text) {
      const wellFormed = apply(isWellFormed, text, []);
      let result = "'";
      let from = 0;
      for (let i = 0; i < text.length; i++) {
        const code = codeAt(text, i);
        let escape = code < 93 ? ESCAPES[code] : undefined;
        if (escape === undefined && (code < 32 || (code >= 127 && code < 160))) {
          escape = `\\x${hex(code, 2)}`;
        } else if (!wellFormed && code >= 0xd800 && code < 0xe000) {
          const next = i + 1 < text.length ? codeAt(text, i + 1) : 0;
          if (code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
            i++;
          } else {
            escape = `\\u${hex(code, 4)}`;
          }
        }
        if (escape !== undefined) {
          result += slice(text, from, i) + escape;
          from = i + 1;
        }
      }
      return `${result}${slice(text, from, text.length)}'`;
    }

    function stringText(run, value) {
      const limit = LIMITS.nested < run.left ? LIMITS.nested : run.left;
      const rest = value.length - limit;
      return rest <= 0
        ? spend(run, quote(value))
        : spend(run, quote(slice(value, 0, limit))) + more(rest, 'character', 'characters');
    }

    function primitiveText(run, value) {
      switch (typeof value) {
        case 'string':
          return stringText(run, value);
        case 'number':
          return spend(run, numberText(value));
        case 'bigint':
          return spend(run, bigIntText(value));
        case 'symbol':
          return spend(run, symbolText(value));
        default:
          return spend(run, `${value}`);
      }
    }

    // ---- The types of objects

    const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

    function isPlainPrototype(run, proto) {
      if (apply(mapGet, intrinsics, [proto]) !== undefined) {
        return true;
      }
      let plain = apply(mapGet, run.protos, [proto]);
      if (plain === undefined) {
        plain = !isProxy(proto);
        apply(mapPut, run.protos, [proto, plain]);
      }
      return plain;
    }

    const ownString = (object, key) => {
      const descriptor = own(object, key);
      return descriptor !== undefined && typeof descriptor.value === 'string' ? descriptor.value : undefined;
    };

    // Returns the name of a function; undefined if only a proxy or a getter could return it.
    function functionName(fn) {
      const name = isProxy(fn) ? undefined : ownString(fn, 'name');
      return name === undefined || name === '' ? undefined : cut(name, LIMITS.name);
    }

    // Returns {name, tag, tagged, slot, complete, proto}: the name of the nearest constructor; the
    // @@toStringTag if it is a string; whether there is a tag of any type; the slot to expect;
    // whether the whole prototype chain was examined and ends in this realm; the prototype.
    function shapeOf(run, value) {
      const shape = { __proto__: null, name: undefined, tag: undefined, tagged: false, slot: '', complete: false, proto: undefined };
      const lookForTag = (object) => {
        if (!shape.tagged && own(object, toStringTag) !== undefined) {
          shape.tagged = true;
          shape.tag = ownString(object, toStringTag);
        }
      };
      lookForTag(value);
      let at = getPrototypeOf(value);
      shape.proto = at;
      let last = null;
      for (let i = 0; at !== null && i < LIMITS.chain && isPlainPrototype(run, at); i++) {
        lookForTag(at);
        if (shape.slot === '') {
          shape.slot = apply(mapGet, intrinsics, [at]) ?? '';
        }
        if (shape.name === undefined) {
          const ctor = own(at, 'constructor');
          if (ctor !== undefined && typeof ctor.value === 'function') {
            shape.name = functionName(ctor.value);
          }
        }
        last = at;
        at = getPrototypeOf(at);
      }
      shape.complete = at === null && (last === null || last === ObjectPrototype);
      return shape;
    }

    // Returns the built-in type of an object; 'Object' for all that have no special text.
    function typeOf(value, shape) {
      if (typeof value === 'function') {
        return 'Function';
      }
      if (isArray(value)) {
        return 'Array';
      }
      if (isError(value)) {
        return 'Error';
      }
      if (isView(value)) {
        return apply(viewTag, value, []) === undefined ? 'DataView' : 'TypedArray';
      }
      if (!shape.tagged && shape.complete) {
        // no object on the chain has a tag, so toString() calls no getter
        const tag = slice(apply(objectToString, value, []), 8, -1);
        if (tag !== 'Object' || shape.proto !== null) {
          return tag;
        }
      }
      if (shape.slot !== '') {
        return hasSlot(shape.slot, value) ? shape.slot : 'Object';
      }
      if (!shape.complete || shape.proto === null) {
        for (let i = 0; i < slotNames.length; i++) {
          if (hasSlot(slotNames[i], value)) {
            return slotNames[i];
          }
        }
      }
      return 'Object';
    }

    // Returns `Name [tag] `, or nothing if the name is `plain` and there is no tag.
    function heading(shape, type, plain, size) {
      let name = shape.name;
      if (name === undefined) {
        name = shape.proto === null ? `[${type}: null prototype]` : type;
      }
      const tag = shape.tag !== undefined && shape.tag !== '' && shape.tag !== shape.name ? `[${cut(shape.tag, LIMITS.name)}] ` : '';
      if (name === plain && tag === '') {
        return '';
      }
      return `${name}${size === undefined ? '' : `(${size})`} ${tag}`;
    }

    // ---- Layout

    function indent(text, by) {
      let result = '';
      let from = 0;
      for (let at = find(text, '\n', 0); at >= 0; at = find(text, '\n', from)) {
        result += `${slice(text, from, at + 1)}${by}`;
        from = at + 1;
      }
      return from === 0 ? text : result + slice(text, from, text.length);
    }

    function layOut(run, prefix, open, entries, close, fill) {
      if (entries.length === 0) {
        return `${prefix}${open}${close}`;
      }
      let width = prefix.length + 2 + run.depthNow * 2;
      let longest = 0;
      let lines = false;
      for (let i = 0; i < entries.length; i++) {
        const { length } = entries[i];
        width += length + 2;
        if (i < entries.length - 1 || slice(entries[i], 0, 3) !== '...') {
          longest = length > longest ? length : longest;
        }
        lines = lines || find(entries[i], '\n', 0) >= 0;
      }
      if (run.singleLine || (width <= LIMITS.width && !lines)) {
        let text = `${prefix}${open} `;
        for (let i = 0; i < entries.length; i++) {
          text += i === 0 ? entries[i] : `, ${entries[i]}`;
        }
        return `${text} ${close}`;
      }
      let text = `${prefix}${open}`;
      let column = 0;
      const several = fill && longest <= 16 && !lines;
      for (let i = 0; i < entries.length; i++) {
        const entry = `${indent(entries[i], '  ')}${i + 1 < entries.length ? ',' : ''}`;
        if (several && i > 0 && column + 1 + entry.length <= LIMITS.width - run.depthNow * 2) {
          text += ` ${entry}`;
          column += 1 + entry.length;
        } else {
          text += `\n  ${entry}`;
          column = 2 + entry.length;
        }
      }
      return `${text}\n${close}`;
    }

    // ---- Objects

    function inspect(run, value) {
      return isObject(value) ? objectText(run, value) : primitiveText(run, value);
    }

    function objectText(run, value) {
      let platform = false;
      if (isProxy(value)) {
        platform = isPlatformObject(value);
        if (!platform) {
          return spend(run, typeof value === 'function' ? '[Proxy of a function]' : '[Proxy]');
        }
      }
      for (let i = 0; i < run.depthNow; i++) {
        if (run.path[i] === value) {
          return spend(run, '[Circular]');
        }
      }
      if (isSpent(run)) {
        return '...';
      }
      run.objects--;
      run.path[run.depthNow] = value;
      run.depthNow++;
      const shape = shapeOf(run, value);
      const text = bodyOf(run, value, shape, platform ? 'Object' : typeOf(value, shape));
      run.depthNow--;
      return text;
    }

    function bodyOf(run, value, shape, type) {
      const entries = newList();
      const isGeneric = run.generic && run.depthNow === 1;
      const isDeep = run.depthNow > run.depth;
      const leaf = (text) => {
        const shown = spend(run, text);
        if (isDeep) {
          return shown;
        }
        properties(run, value, entries, 'leaf', isGeneric);
        return entries.length === 0 ? shown : layOut(run, `${shown} `, '{', entries, '}', false);
      };
      switch (type) {
        case 'Function':
          return leaf(functionText(run, value, shape));
        case 'Date': {
          const time = apply(SLOTS.Date, value, []);
          const text = time === time ? apply(toISOString, value, []) : 'Invalid Date';
          return leaf(`${heading(shape, 'Date', 'Date')}${text}`);
        }
        case 'Temporal.Instant':
        case 'Temporal.ZonedDateTime':
        case 'Temporal.PlainDateTime':
        case 'Temporal.PlainDate':
        case 'Temporal.PlainTime':
        case 'Temporal.PlainYearMonth':
        case 'Temporal.PlainMonthDay':
        case 'Temporal.Duration': {
          const isSubclass = shape.tag !== type || `Temporal.${shape.name}` !== type;
          return leaf(`${isSubclass ? heading(shape, type, '') : `${type} `}${apply(temporalTexts[type], value, [])}`);
        }
        case 'RegExp':
          return leaf(`${heading(shape, 'RegExp', 'RegExp')}${regExpText(value)}`);
        case 'Number':
        case 'Boolean':
        case 'BigInt':
        case 'Symbol':
        case 'String': {
          const name = shape.name === undefined || shape.name === type ? type : `${type} (${shape.name})`;
          const inner = apply(SLOTS[type], value, []);
          spend(run, name);
          return leaf(`[${name}: ${primitiveText(run, inner)}]`);
        }
        case 'Error':
          return errorText(run, value, isDeep, isGeneric);
        default:
      }
      if (isDeep) {
        const name = shape.name ?? (shape.proto === null ? 'Object: null prototype' : type);
        return spend(run, `[${name}]`);
      }
      switch (type) {
        case 'Array':
        case 'Arguments': {
          const length = type === 'Array' ? own(value, 'length').value : argumentsLength(value);
          const all = elements(run, value, entries, length);
          if (length <= LIMITS.steps) {
            properties(run, value, entries, 'indexed', isGeneric);
          }
          const prefix = type === 'Arguments' ? '[Arguments] ' : heading(shape, 'Array', 'Array', length);
          return layOut(run, spend(run, prefix), '[', entries, ']', all);
        }
        case 'TypedArray': {
          const name = apply(viewTag, value, []);
          const length = apply(viewLength, value, []);
          const shown = length < LIMITS.items ? length : LIMITS.items;
          let i = 0;
          for (; i < shown && !isSpent(run); i++) {
            entries[i] = primitiveText(run, value[i]); // an own element, so Get runs no page code
          }
          noteRest(entries, length - i, 'item', 'items');
          if (length <= LIMITS.steps) {
            properties(run, value, entries, 'indexed', isGeneric);
          }
          return layOut(run, spend(run, heading(shape, name, '', length)), '[', entries, ']', true);
        }
        case 'DataView':
          if (hasView(value)) {
            entries[0] = spend(run, `byteLength: ${apply(dataViewLength, value, [])}`);
            entries[1] = spend(run, `byteOffset: ${apply(dataViewOffset, value, [])}`);
          } else {
            entries[0] = spend(run, '(detached)');
          }
          break;
        case 'ArrayBuffer':
        case 'SharedArrayBuffer':
          bufferEntries(run, value, apply(SLOTS[type], value, []), entries);
          if (type === 'ArrayBuffer' && bufferImmutable !== undefined && apply(bufferImmutable, value, [])) {
            entries[entries.length] = spend(run, 'immutable: true');
          }
          break;
        case 'Map': {
          const size = apply(SLOTS.Map, value, []);
          const iterator = apply(mapEntries, value, []);
          let count = 0;
          for (; count < size && count < LIMITS.items && !isSpent(run); count++) {
            const pair = apply(mapNext, iterator, []).value;
            const key = inspect(run, pair[0]);
            entries[count] = `${key} => ${inspect(run, pair[1])}`;
          }
          noteRest(entries, size - count, 'entry', 'entries');
          properties(run, value, entries, '', isGeneric);
          return layOut(run, spend(run, heading(shape, 'Map', '', size)), '{', entries, '}', false);
        }
        case 'Set': {
          const size = apply(SLOTS.Set, value, []);
          const iterator = apply(setValues, value, []);
          let count = 0;
          for (; count < size && count < LIMITS.items && !isSpent(run); count++) {
            entries[count] = inspect(run, apply(setNext, iterator, []).value);
          }
          noteRest(entries, size - count, 'value', 'values');
          properties(run, value, entries, '', isGeneric);
          return layOut(run, spend(run, heading(shape, 'Set', '', size)), '{', entries, '}', true);
        }
        case 'WeakMap':
        case 'WeakSet':
          entries[0] = spend(run, '<items unknown>');
          break;
        default:
      }
      if (value !== globalObject) {
        // a global has all members of its interface as own properties; other platform objects have
        // some of them, always as accessors
        const isPlatform = type === 'Object' && shape.name !== 'Object' && shape.proto !== null && isPlatformObject(value);
        properties(run, value, entries, isPlatform ? 'data' : '', isGeneric);
      }
      return layOut(run, spend(run, heading(shape, type, type === 'Object' ? 'Object' : '')), '{', entries, '}', false);
    }

    function noteRest(entries, count, what, many) {
      if (count > 0) {
        entries[entries.length] = more(count, what, many);
      }
    }

    const hasView = (view) => {
      try {
        apply(dataViewLength, view, []);
        return true;
      } catch {
        return false; // detached, or out of bounds
      }
    };

    function bufferEntries(run, value, length, entries) {
      let bytes;
      try {
        bytes = new Uint8ArrayCtor(value, 0, length < LIMITS.items ? length : LIMITS.items);
      } catch {
        entries[0] = spend(run, '(detached)');
        entries[1] = 'byteLength: 0';
        return;
      }
      let text = '';
      const shown = length < LIMITS.items ? length : LIMITS.items;
      for (let i = 0; i < shown; i++) {
        text += `${i === 0 ? '' : ' '}${hex(bytes[i], 2)}`;
      }
      if (length > shown) {
        text += ` ${more(length - shown, 'byte', 'bytes')}`;
      }
      entries[0] = spend(run, `bytes: <${text}>`);
      entries[1] = spend(run, `byteLength: ${length}`);
    }

    const argumentsLength = (value) => {
      const descriptor = own(value, 'length');
      const length = descriptor === undefined ? 0 : descriptor.value;
      return typeof length === 'number' && length >= 0 && length <= LIMITS.steps ? length : 0;
    };

    // Returns whether all elements are primitive.
    function elements(run, value, entries, length) {
      let primitive = true;
      let i = 0;
      let steps = 0;
      while (i < length && entries.length < LIMITS.items && steps < LIMITS.steps && !isSpent(run)) {
        const from = i;
        let descriptor = own(value, i);
        while (descriptor === undefined && i < length && steps < LIMITS.steps) {
          i++;
          steps++;
          descriptor = i < length ? own(value, i) : undefined;
        }
        if (i > from) {
          entries[entries.length] = spend(run, `<${i - from} empty ${i - from === 1 ? 'item' : 'items'}>`);
        }
        if (descriptor !== undefined && entries.length < LIMITS.items) {
          primitive = primitive && !isObject(descriptor.value);
          entries[entries.length] = valueText(run, descriptor);
          i++;
          steps++;
        }
      }
      noteRest(entries, length - i, 'item', 'items');
      return primitive;
    }

    function valueText(run, descriptor) {
      if (descriptor.get === undefined && descriptor.set === undefined) {
        return inspect(run, descriptor.value);
      }
      return spend(run, descriptor.set === undefined ? '[Getter]' : descriptor.get === undefined ? '[Setter]' : '[Getter/Setter]');
    }

    function isIdentifier(text) {
      for (let i = 0; i < text.length; i++) {
        const code = codeAt(text, i);
        const isDigit = code >= 48 && code <= 57;
        if (!((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || (isDigit && i > 0))) {
          return false;
        }
      }
      return text.length > 0;
    }

    const isIndex = (key) => {
      if (typeof key !== 'string' || key.length > 10) {
        return false;
      }
      const n = +key;
      return n >= 0 && n < 4294967295 && `${n}` === key;
    };

    function keyText(key, enumerable) {
      if (typeof key === 'symbol') {
        const text = `[${symbolText(key)}]`;
        return enumerable ? text : `[${text}]`;
      }
      const text = key.length <= LIMITS.name && isIdentifier(key) ? key : quote(cut(key, LIMITS.name));
      return enumerable ? text : `[${text}]`;
    }

    // Properties of an error that are part of its text, or are shown separately.
    const ERROR_KEYS = { __proto__: null, stack: true, message: true, name: true, cause: true, errors: true };

    // Adds the own properties to the entries. `mode`: 'indexed' and 'error' leave out what is shown
    // elsewhere, 'data' leaves out accessors. `withHidden` includes non-enumerable properties and
    // turns 'error' and 'data' off.
    function properties(run, value, entries, mode, withHidden) {
      const isBoxedString = mode === 'leaf' && typeof value === 'object' && hasSlot('String', value);
      if (isBoxedString && own(value, 'length').value > LIMITS.steps) {
        return;
      }
      const keys = setProto(ownKeys(value), null);
      let shown = 0;
      for (let i = 0; i < keys.length; i++) {
        if (i >= LIMITS.keys) {
          noteRest(entries, keys.length - i, 'property', 'properties');
          return;
        }
        const key = keys[i];
        if ((mode === 'indexed' || isBoxedString) && isIndex(key)) {
          continue;
        }
        if (mode === 'error' && typeof key === 'string' && ERROR_KEYS[key] === true && !withHidden) {
          continue;
        }
        const descriptor = quietOwn(value, key);
        if (descriptor === undefined || !(descriptor.enumerable || withHidden)) {
          continue;
        }
        if (mode === 'data' && descriptor.get !== undefined && !withHidden) {
          continue;
        }
        if (shown >= LIMITS.items || isSpent(run)) {
          noteRest(entries, keys.length - i, 'property', 'properties');
          return;
        }
        shown++;
        const label = spend(run, keyText(key, descriptor.enumerable));
        entries[entries.length] = `${label}: ${valueText(run, descriptor)}`;
      }
    }

    function functionText(run, value, shape) {
      const name = ownString(value, 'name');
      const shown = name === undefined || name === '' ? '(anonymous)' : cut(name, LIMITS.name);
      const source = apply(functionToString, value, []);
      if (slice(source, 0, 5) === 'class' && !isIdentifier(slice(source, 5, 6))) {
        const parent = shape.proto;
        const parentName = typeof parent === 'function' && parent !== FunctionPrototype ? functionName(parent) : undefined;
        return `[class ${shown}${parentName === undefined ? '' : ` extends ${parentName}`}]`;
      }
      const kindName = shape.proto === null ? 'Function (null prototype)' : (apply(mapGet, functionKinds, [shape.proto]) ?? 'Function');
      return shown === '(anonymous)' ? `[${kindName} (anonymous)]` : `[${kindName}: ${shown}]`;
    }

    function regExpText(value) {
      let flags = '';
      for (let i = 0; i < flagNames.length; i++) {
        if (apply(flagGetters[flagNames[i]], value, [])) {
          flags += REG_EXP_FLAGS[flagNames[i]];
        }
      }
      return `/${cut(apply(SLOTS.RegExp, value, []), LIMITS.nested)}/${flags}`;
    }

    // Returns an own property; undefined if reading it could run page code.
    function quietOwn(value, key) {
      return key === 'stack' && isError(value) && !isStackPlain(value) ? undefined : own(value, key);
    }

    function errorText(run, value, isDeep, isGeneric) {
      let text = stackOf(value) ?? '';
      if (text === '') {
        text = `[${textOf(value)}]`;
      } else if (isDeep || run.singleLine) {
        const end = find(text, '\n', 0);
        text = end < 0 ? `[${text}]` : `[${slice(text, 0, end)}]`;
      }
      text = spend(run, cut(text, LIMITS.nested));
      if (isDeep || run.singleLine) {
        return text;
      }
      const entries = newList();
      properties(run, value, entries, 'error', isGeneric);
      if (!isGeneric) {
        inner(run, value, 'cause', entries);
        inner(run, value, 'errors', entries);
        if (own(value, 'suppressed')?.enumerable === false) { // a SuppressedError
          inner(run, value, 'error', entries);
          inner(run, value, 'suppressed', entries);
        }
      }
      return entries.length === 0 ? text : layOut(run, `${text} `, '{', entries, '}', false);
    }

    function inner(run, value, key, entries) {
      const descriptor = own(value, key);
      if (descriptor !== undefined) {
        entries[entries.length] = `${keyText(key, descriptor.enumerable)}: ${valueText(run, descriptor)}`;
      }
    }

    // ---- Functions that Java calls

    // Returns the text of a message argument: strings without quotes, objects in a readable form.
    function outerText(run, value) {
      if (typeof value !== 'string') {
        return inspect(run, value);
      }
      const limit = LIMITS.outer < run.left ? LIMITS.outer : run.left;
      run.left -= value.length < limit ? value.length : limit;
      return cut(value, limit);
    }

    const PERCENT = 37;

    // https://console.spec.whatwg.org/#formatter
    // A loop instead of the standard's recursion: the replacement of a specifier is not examined
    // again, so that data cannot inject specifiers, as in browsers. As there, `%%` stands for one `%`.
    function formatter() {
      const result = newList();
      const count = arguments.length;
      // 1. and a target without specifiers
      if (count < 2 || typeof arguments[0] !== 'string') {
        for (let i = 0; i < count; i++) {
          result[i] = arguments[i];
        }
        return result;
      }
      // 2.
      const target = cut(arguments[0], LIMITS.outer);
      const run = newRun();
      let text = '';
      let from = 0;
      let next = 1;
      // 4.
      for (let at = find(target, '%', 0); at >= 0 && at + 1 < target.length; at = find(target, '%', at)) {
        let converted;
        const specifier = codeAt(target, at + 1);
        if (specifier === PERCENT) {
          converted = '%';
        } else if (next < count) {
          // 3.
          const current = arguments[next];
          // 6.
          converted = convert(run, specifier, current);
          next += converted === undefined ? 0 : 1;
        }
        if (converted === undefined) {
          at++;
        } else {
          text += slice(target, from, at) + converted;
          at += 2;
          from = at;
        }
      }
      // 7.
      result[0] = text + slice(target, from, target.length);
      for (; next < count; next++) {
        result[result.length] = arguments[next];
      }
      // 8.
      return result;
    }

    // Step 6 of the Formatter; returns undefined for an unknown specifier.
    function convert(run, specifier, current) {
      switch (specifier) {
        case 115: // 6.1. %s
          return outerText(run, apply(StringCtor, undefined, [current]));
        case 100: // 6.2. %d
        case 105: // %i
          return typeof current === 'symbol' ? 'NaN' : numberText(apply(parseIntOf, undefined, [current, 10]));
        case 102: // 6.3. %f
          return typeof current === 'symbol' ? 'NaN' : numberText(apply(parseFloatOf, undefined, [current]));
        case 111: // 6.4. %o
          return inspect(run, current);
        case 79: // 6.5. %O
          return genericText(run, current);
        case 99: // 6.6. %c: text has no style
          return '';
        default:
          return undefined;
      }
    }

    // https://console.spec.whatwg.org/#generic-javascript-object-formatting
    function genericText(run, value) {
      run.generic = true;
      const text = inspect(run, value);
      run.generic = false;
      return text;
    }

    // Returns the texts of the values of one message.
    function texts() {
      const run = newRun();
      const result = newList();
      for (let i = 0; i < arguments.length; i++) {
        if (isSpent(run)) {
          noteRest(result, arguments.length - i, 'value', 'values');
          break;
        }
        result[i] = outerText(run, arguments[i]);
      }
      return result;
    }

    // Returns `text` followed by `first` if that is a string; else undefined.
    function prefixed(text, first) {
      if (typeof first !== 'string') {
        return undefined;
      }
      // leaves room for the note, so that the text is not cut again
      return `${text}${cut(first, LIMITS.outer - LIMITS.name)}`;
    }

    // https://console.spec.whatwg.org/#table
    // Returns {head, rows, rest}: column titles, cells of each row and a note; null for no table.
    function table(data, properties) {
      if (typeof data !== 'object' || data === null || (isProxy(data) && !isPlatformObject(data))) {
        return null;
      }
      const run = newRun();
      run.depth = 1;
      run.singleLine = true;
      const type = typeOf(data, shapeOf(run, data));
      const made = {
        __proto__: null,
        index: type === 'Map' || type === 'Set' ? '(iteration index)' : '(index)',
        columns: newList(),
        at: new MapCtor(),
        fixed: properties !== undefined,
        indexes: newList(),
        keys: type === 'Map' ? newList() : undefined,
        values: newList(),
        cells: newList(),
        hasValues: false,
        columnsLeft: 0,
      };
      if (made.fixed) {
        for (let i = 0; i < properties.length && i < LIMITS.columns; i++) {
          addColumn(made, properties[i]);
        }
        made.columnsLeft = properties.length > LIMITS.columns ? properties.length - LIMITS.columns : 0;
      }
      const total = rowsOf(run, made, data, type);
      return total === 0 && made.indexes.length === 0 && type === 'Object' ? null : tableOf(made, total);
    }

    function addColumn(made, key) {
      if (apply(mapGet, made.at, [key]) === undefined) {
        if (made.columns.length === LIMITS.columns) {
          made.columnsLeft++;
          apply(mapPut, made.at, [key, -1]);
          return;
        }
        apply(mapPut, made.at, [key, made.columns.length]);
        made.columns[made.columns.length] = key;
      }
    }

    const cellText = (run, descriptor) => cut(valueText(run, descriptor), LIMITS.cell);
    const dataOf = (value) => ({ __proto__: null, value, get: undefined, set: undefined });

    // Adds the rows; returns how many there would be without a limit.
    function rowsOf(run, made, data, type) {
      const isFull = () => made.indexes.length >= LIMITS.rows || isSpent(run);
      if (type === 'Map' || type === 'Set') {
        const isMap = type === 'Map';
        const size = apply(SLOTS[type], data, []);
        const iterator = apply(isMap ? mapEntries : setValues, data, []);
        for (let i = 0; i < size && !isFull(); i++) {
          const { value } = apply(isMap ? mapNext : setNext, iterator, []);
          addRow(run, made, `${i}`, dataOf(isMap ? value[1] : value), isMap ? dataOf(value[0]) : undefined);
        }
        return size;
      }
      if (type === 'Array' || type === 'TypedArray') {
        const length = type === 'Array' ? own(data, 'length').value : apply(viewLength, data, []);
        let i = 0;
        for (; i < length && i < LIMITS.steps && !isFull(); i++) {
          const descriptor = own(data, i);
          if (descriptor !== undefined) {
            addRow(run, made, `${i}`, descriptor, undefined);
          }
        }
        return made.indexes.length + length - i;
      }
      const keys = setProto(ownKeys(data), null);
      let i = 0;
      for (; i < keys.length && i < LIMITS.keys && !isFull(); i++) {
        const descriptor = typeof keys[i] === 'string' ? quietOwn(data, keys[i]) : undefined;
        if (descriptor !== undefined && descriptor.enumerable) {
          addRow(run, made, cut(keys[i], LIMITS.cell), descriptor, undefined);
        }
      }
      return made.indexes.length + keys.length - i;
    }

    function addRow(run, made, index, descriptor, key) {
      const row = made.indexes.length;
      made.indexes[row] = index;
      const cells = newList();
      made.cells[row] = cells;
      if (key !== undefined) {
        made.keys[row] = cellText(run, key);
      }
      const { value } = descriptor;
      if (!hasColumns(run, value)) {
        made.hasValues = true;
        made.values[row] = cellText(run, descriptor);
        return;
      }
      if (made.fixed) {
        for (let i = 0; i < made.columns.length; i++) {
          const cell = own(value, made.columns[i]);
          cells[i] = cell === undefined ? '' : cellText(run, cell);
        }
        return;
      }
      if (isArray(value) && own(value, 'length').value > LIMITS.steps) {
        for (let i = 0; i < LIMITS.columns; i++) {
          addCell(run, made, cells, value, `${i}`);
        }
        const left = own(value, 'length').value - LIMITS.columns;
        made.columnsLeft = left > made.columnsLeft ? left : made.columnsLeft;
        return;
      }
      const keys = setProto(ownKeys(value), null);
      for (let i = 0; i < keys.length && i < LIMITS.steps; i++) {
        if (typeof keys[i] === 'string') {
          addCell(run, made, cells, value, keys[i]);
        }
      }
    }

    function addCell(run, made, cells, value, key) {
      const cell = own(value, key);
      if (cell !== undefined && cell.enumerable) {
        addColumn(made, key);
        const column = apply(mapGet, made.at, [key]);
        if (column >= 0) {
          cells[column] = cellText(run, cell);
        }
      }
    }

    // Whether a row has a cell per property: its value is an array or an object without special text.
    function hasColumns(run, value) {
      if (typeof value !== 'object' || value === null || isProxy(value)) {
        return false;
      }
      const type = typeOf(value, shapeOf(run, value));
      return (type === 'Object' && !isPlatformObject(value)) || type === 'Array' || type === 'Arguments';
    }

    function tableOf(made, total) {
      const head = newList();
      head[0] = made.index;
      if (made.keys !== undefined) {
        head[head.length] = 'Key';
      }
      const first = head.length;
      for (let i = 0; i < made.columns.length; i++) {
        head[first + i] = cut(made.columns[i], LIMITS.cell);
      }
      if (made.hasValues) {
        head[head.length] = 'Values';
      }
      const rows = newList();
      for (let r = 0; r < made.indexes.length; r++) {
        const row = newList();
        row[0] = made.indexes[r];
        if (made.keys !== undefined) {
          row[1] = made.keys[r];
        }
        for (let i = 0; i < made.columns.length; i++) {
          row[first + i] = made.cells[r][i] ?? '';
        }
        if (made.hasValues) {
          row[row.length] = made.values[r] ?? '';
        }
        rows[r] = row;
      }
      let rest = total > rows.length ? more(total - rows.length, 'row', 'rows') : '';
      if (made.columnsLeft > 0) {
        rest += `${rest === '' ? '' : ', '}${more(made.columnsLeft, 'column', 'columns')}`;
      }
      return { __proto__: null, head, rows, rest };
    }

    return {
      __proto__: null, formatter, texts, generic: (value) => genericText(newRun(), value), prefixed, table,
      call: (steps) => { steps(); },
    };
  };
});
