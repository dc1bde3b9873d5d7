// The base of the other files: what Java passes, and the built-ins of the engine.
//
// A hostile page may replace every built-in and every prototype property later. So all built-ins are
// captured here, and at run time the prelude iterates nothing by protocol, appends to no array that
// has a prototype, and passes only null-prototype property descriptors.
//
// Prelude.java joins all files into the body of one function of `host`, without imports and exports.
// It is called once per realm, before any page script. The files install code that is generated from
// IDL; none of them refers to an interface by name.

import { host } from 'weblocks:host';

// kit           the object of agent-kit.js, shared by the realms of the agent
// seam          the entry into Java: seam(member id, implementation of `this`, converted arguments…)
// takeFailure   returns the JS value to throw after seam() has returned `failure`
// tables        the exposed names and the enumerations of this kind of global
// isEmbedders   whether the embedder owns the realm
// isError       for engines without Error.isError
// part          part(number) is a function that returns the members of an interface or namespace, null
//               for none; part(name) is one that returns the table of a dictionary
// later         later(key, from, to) defines names of the global whose values are made at the first
//               read; null where the engine has no such properties
// requireStack  throws if the stack is too small to build state that outlives the call
const { kit } = host;
export const { seam, tables, isEmbedders } = host;
export const { failure } = kit;

export const { apply } = Reflect;
const weakSetAdd = WeakSet.prototype.add;
const WeakSetCtor = WeakSet;

// Returns a thrown value of the context; replaces an object of Java by a RangeError. A call into
// Java can throw such an object, for example a StackOverflowError before any method of the binding
// could catch it. Under HostAccess.ALL that object gives script access to the whole process. A
// WeakSet takes only objects of the context, and runs no script of the page, so it distinguishes
// the two.
export function withoutJava(thrown) {
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) {
    return thrown;
  }
  try {
    apply(weakSetAdd, new WeakSetCtor(), [thrown]);
    return thrown;
  } catch {
    return stackOverflow();
  }
}

// Returns a function of Java for internal scripts, which throws values of the context only.
export function guarded(fn) {
  return function () {
    try {
      return apply(fn, undefined, arguments);
    } catch (thrown) {
      throw withoutJava(thrown);
    }
  };
}

export const takeFailure = guarded(host.takeFailure);
export const part = guarded(host.part);
export const requireStack = guarded(host.requireStack);
export const later = host.later === null ? null : guarded(host.later);

export const global = globalThis;

// The object with the interface objects and the members of the global. It is the global itself; if
// the embedder owns that, it is a separate object, from which the embedder takes what it needs.
export const exposed = isEmbedders ? Object.create(null) : global;
export const { construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
export const reflectDefine = Reflect.defineProperty;
export const { get: reflectGet, set: reflectSet, has: reflectHas, deleteProperty: reflectDelete } = Reflect;
export const ProxyCtor = Proxy;
export const setProto = Object.setPrototypeOf;
export const ObjectProto = Object.prototype;
export const { create, defineProperty, freeze, hasOwn } = Object;
export const ErrorCtor = Error;
export const TypeErrorCtor = TypeError;
export const RangeErrorCtor = RangeError;
export const PromiseCtor = Promise;
export const promiseThen = Promise.prototype.then;
export const { iterator, toStringTag, unscopables: symbolUnscopables } = Symbol;
export const { floor, abs, sign, pow, fround } = Math;
export const NumberCtor = Number;
export const BigIntCtor = BigInt;
export const toBigInt = BigInt.asIntN;
export const toNumber = (value) => +value;
export const { isFinite: numberIsFinite, isNaN: numberIsNaN } = Number;
export const functionToString = Function.prototype.toString;
export const isWellFormed = String.prototype.isWellFormed;
export const toWellFormed = String.prototype.toWellFormed;
export const { fromCharCode } = String;
export const charCodeAt = String.prototype.charCodeAt;
export const slice = String.prototype.slice;
export const indexOf = String.prototype.indexOf;
export const isView = ArrayBuffer.isView;
export const isError = Error.isError ?? guarded(host.isError);
export const { parse: jsonParse, stringify: jsonStringify } = JSON;
export const { put, implOf, implementing, typeOf, backingOf, markImmutablePrototype, isImmutablePrototype, nativeName, rememberRecords, recordsByArrayPrototype, seamOf } = kit;
export const { keepCompletion, takeCompletion, awaitsConversion } = kit;
// Not needed in a realm that the embedder owns, where it would only take memory for each function.
export const markNative = isEmbedders ? () => {} : kit.markNative;
kit.rememberSeam(Object.prototype, Function.prototype, seam);
export const ArrayCtor = Array;
export const arrayMap = Array.prototype.map;

// Returns an array without a prototype, so that no page can interfere with it.
export function newList() {
  return setProto([], null);
}

// Returns a copy of an array without its prototype. The engine cannot remove the prototype of an
// existing array safely: if the stack overflows meanwhile, the array has lost its length for good.
// So only new arrays, which a failure drops, lose their prototype.
export function listCopy(array) {
  const list = newList();
  for (let i = 0; i < array.length; i++) {
    list[i] = array[i];
  }
  return list;
}

export function define(object, key, value, enumerable, writable, configurable) {
  defineProperty(object, key, { __proto__: null, value, enumerable, writable, configurable });
}

// Makes a function look native.
export function native(fn, name, length) {
  if (fn.length !== length) {
    define(fn, 'length', length, false, false, true);
  }
  markNative(fn, name);
  return fn;
}

// The globals that the engine has and browsers do not. They are deleted before others are defined:
// deleting a property that hundreds follow costs as much as defining them again.
export const { setUnhandledPromiseRejectionHandler } = typeof Graal === 'object' ? Graal : {};
if (!isEmbedders) {
  for (const name of ['print', 'printErr', 'load', 'loadWithNewGlobal', 'Graal', 'arguments', toStringTag]) {
    reflectDelete(global, name);
  }
}

export function stackOverflow() {
  return new RangeErrorCtor('Maximum call stack size exceeded');
}

const { toString: symbolToString } = Symbol.prototype;

export function symbolText(symbol) {
  return apply(symbolToString, symbol, []);
}

export function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// Errors. `where` describes the operation: a text, or a linked list of texts from the inside out that
// ends in a text. They are concatenated only after a failure.

function describe(where, text) {
  let message = text;
  let at = where;
  for (; typeof at !== 'string'; at = at.outer) {
    message = `${at.text}: ${message}`;
  }
  return `${at}: ${message}`;
}

export function typeError(where, text) {
  return new TypeErrorCtor(describe(where, text));
}

export function within(outer, text) {
  return { __proto__: null, outer, text };
}

// A promise that page script never sees: `then` on it reads no species.
export class HiddenPromise extends PromiseCtor {
  constructor(executor) {
    super(executor);
  }
}
setProto(HiddenPromise.prototype, null);
define(HiddenPromise.prototype, 'constructor', undefined, false, false, false);

export function rejected(reason) {
  return new PromiseCtor((resolve, reject) => reject(reason));
}
