// The prelude, part 1: the base of the other parts. Platform joins the parts, in the order of its
// list, into the body of one function of (kit, seam, failure, takeFailure, tables, embedderIsError,
// part, later, requireStack). It is evaluated once per realm, before any page script. The parts
// install code that is generated from IDL; none of them refers to an interface by name.
//
// A hostile page may replace every built-in and every prototype property later. So all built-ins are
// captured here, and at run time the prelude iterates nothing by protocol, appends to no array that
// has a prototype, and passes only null-prototype property descriptors.
//
// kit     the object of agent-kit.js, shared by the realms of the agent
// seam    the entry into Java: seam(member id, implementation of `this`, converted arguments…)
// failure the object that seam returns when Java threw; takeFailure() then returns the JS value
// tables  the exposed names and the enumerations of this kind of global
// embedderIsError  null unless the embedder owns the realm; then it replaces Error.isError where
//         the engine has none
// part    part(number) is a function that returns the members of an interface or namespace, null for
//         none; part(name) is one that returns the table of a dictionary
// later   later(key, from, to) defines names of the global whose values are made at the first read;
//         null where the engine has no such properties
// requireStack  throws if the stack is too small to build state that outlives the call

const { apply } = Reflect;
const weakSetAdd = WeakSet.prototype.add;
const WeakSetCtor = WeakSet;

// Returns a thrown value of the context; replaces an object of Java by a RangeError. A call into
// Java can throw such an object, for example a StackOverflowError before any method of the binding
// could catch it. Under HostAccess.ALL that object gives script access to the whole process. A
// WeakSet takes only objects of the context, and runs no script of the page, so it distinguishes
// the two.
function own(thrown) {
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
function guarded(host) {
  return function () {
    try {
      return apply(host, undefined, arguments);
    } catch (thrown) {
      throw own(thrown);
    }
  };
}

takeFailure = guarded(takeFailure);
part = guarded(part);
requireStack = guarded(requireStack);
embedderIsError = embedderIsError === null ? null : guarded(embedderIsError);
later = later === null ? null : guarded(later);

const global = globalThis;

// The object with the interface objects and the members of the global. It is the global itself; if
// the embedder owns that, it is a separate object, from which the embedder takes what it needs.
const exposed = embedderIsError === null ? global : Object.create(null);
const { construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
const reflectDefine = Reflect.defineProperty;
const { get: reflectGet, set: reflectSet, has: reflectHas, deleteProperty: reflectDelete } = Reflect;
const ProxyCtor = Proxy;
const setProto = Object.setPrototypeOf;
const ObjectProto = Object.prototype;
const { create, defineProperty, freeze, hasOwn } = Object;
const ErrorCtor = Error;
const TypeErrorCtor = TypeError;
const RangeErrorCtor = RangeError;
const PromiseCtor = Promise;
const promiseThen = Promise.prototype.then;
const { iterator, toStringTag, unscopables: symbolUnscopables } = Symbol;
const { floor, ceil, abs, sign, pow, fround } = Math;
const NumberCtor = Number;
const BigIntCtor = BigInt;
const toBigInt = BigInt.asIntN;
const toNumber = (value) => +value;
const { isFinite: numberIsFinite, isNaN: numberIsNaN } = Number;
const functionToString = Function.prototype.toString;
const isWellFormed = String.prototype.isWellFormed;
const toWellFormed = String.prototype.toWellFormed;
const { fromCharCode } = String;
const charCodeAt = String.prototype.charCodeAt;
const slice = String.prototype.slice;
const indexOf = String.prototype.indexOf;
const isView = ArrayBuffer.isView;
const isError = Error.isError ?? embedderIsError;
const { parse: jsonParse, stringify: jsonStringify } = JSON;
const symbolToString = Symbol.prototype.toString;
const { put, implOf, implementing, typeOf, backingOf, markImmutablePrototype, isImmutablePrototype, nativeName, rememberRecords, recordsByArrayPrototype, seamOf } = kit;
const { keepCompletion, takeCompletion, awaitsConversion } = kit;
// Not needed in a realm that the embedder owns, where it would only take memory for each function.
const markNative = embedderIsError === null ? kit.markNative : () => {};
kit.rememberSeam(Object.prototype, Function.prototype, seam);
const ArrayCtor = Array;
const arrayMap = Array.prototype.map;

// Returns an array without a prototype, so that no page can interfere with it.
function newList() {
  return setProto([], null);
}

// Returns a copy of an array without its prototype. The engine cannot remove the prototype of an
// existing array safely: if the stack overflows meanwhile, the array has lost its length for good.
// So only new arrays, which a failure drops, lose their prototype.
function listCopy(array) {
  const list = newList();
  for (let i = 0; i < array.length; i++) {
    list[i] = array[i];
  }
  return list;
}

function define(object, key, value, enumerable, writable, configurable) {
  defineProperty(object, key, { __proto__: null, value, enumerable, writable, configurable });
}

// Makes a function look native.
function native(fn, name, length) {
  if (fn.length !== length) {
    define(fn, 'length', length, false, false, true);
  }
  markNative(fn, name);
  return fn;
}

// The globals that the engine has and browsers do not. They are deleted before others are defined:
// deleting a property that hundreds follow costs as much as defining them again.
const { setUnhandledPromiseRejectionHandler } = typeof Graal === 'object' ? Graal : {};
if (embedderIsError === null) {
  for (const name of ['print', 'printErr', 'load', 'loadWithNewGlobal', 'Graal', 'arguments', toStringTag]) {
    reflectDelete(global, name);
  }
}

function isObject(value) {
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

function typeError(where, text) {
  return new TypeErrorCtor(describe(where, text));
}

function within(outer, text) {
  return { __proto__: null, outer, text };
}

// A promise that page script never sees: `then` on it reads no species.
class HiddenPromise extends PromiseCtor {
  constructor(executor) {
    super(executor);
  }
}
setProto(HiddenPromise.prototype, null);
define(HiddenPromise.prototype, 'constructor', undefined, false, false, false);

function rejected(reason) {
  return new PromiseCtor((resolve, reject) => reject(reason));
}
