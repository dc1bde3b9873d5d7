// The prelude, part 1: what the other parts build on. Platform joins the parts, in the order that it
// names, into the body of one function of (kit, seam, failure, takeFailure, tables, lent), which is
// evaluated once per realm, before any page script. The parts interpret tables that are made from
// IDL; nothing in them knows an interface by name.
//
// A hostile page may replace every built-in and every prototype property later. So all built-ins are
// captured here, and at run time the prelude iterates nothing by protocol, appends to no array that
// has a prototype, and passes only null-prototype property descriptors.
//
// kit     what agent-kit.js made, shared by the realms of the agent
// seam    the one way into Java: seam(member id, implementation of `this`, converted arguments…)
// failure seam returns this very object when Java threw; takeFailure() then gives the JS value
// tables  interface, dictionary, enum and callback tables of this kind of global
// lent    null; in a realm that the embedder owns, what tells errors where the engine does not
// part    part(number) is a function that returns the table of an interface or namespace, null for
//         none; part(name) is one for the members of a dictionary
// later   later(key, from, to) defines names of the global whose values are made when they are read,
//         null where the engine has no such properties

const { apply } = Reflect;
const weakSetAdd = WeakSet.prototype.add;
const WeakSetCtor = WeakSet;

// A call into Java can throw an object of Java, such as a StackOverflowError before any method of ours
// could catch it. Under HostAccess.ALL that object gives script access to the whole process. A WeakSet
// takes only objects of the context, and runs no script of the page: so it tells the two apart.
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

// A function of Java for scripts of ours, which throws values of the context only.
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
lent = lent === null ? null : guarded(lent);
later = later === null ? null : guarded(later);

const global = globalThis;

// What has the interface objects and the members of the global: the global itself, unless that is the
// embedder's, who takes out of this object what is wanted.
const exposed = lent === null ? global : Object.create(null);
const { construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
const reflectDefine = Reflect.defineProperty;
const { get: reflectGet, set: reflectSet, has: reflectHas, deleteProperty: reflectDelete } = Reflect;
const ProxyCtor = Proxy;
const setProto = Object.setPrototypeOf;
const ObjectProto = Object.prototype;
const { create, defineProperty, hasOwn, preventExtensions } = Object;
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
const charCodeAt = String.prototype.charCodeAt;
const slice = String.prototype.slice;
const indexOf = String.prototype.indexOf;
const isView = ArrayBuffer.isView;
const isError = Error.isError ?? lent;
const { parse: jsonParse, stringify: jsonStringify } = JSON;
const symbolToString = Symbol.prototype.toString;
const { put, implOf, typeOf, backingOf, markImmutablePrototype, isImmutablePrototype, nativeName, rememberRecords, recordsByArrayPrototype, seamOf } = kit;
const { keepCompletion, completionOf, takeCompletion, isCompletionLeft, awaitsConversion } = kit;
// In a realm that the embedder owns nobody asks, and each function would take some memory more.
const markNative = lent === null ? kit.markNative : () => {};
kit.rememberSeam(Object.prototype, Function.prototype, seam);
const ArrayCtor = Array;
const arrayMap = Array.prototype.map;

// An array that no page can reach through its prototype.
function newList() {
  return setProto([], null);
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

// What the engine offers and no browser does. It goes before anything else comes: to take away a
// property that hundreds follow costs as much as to define them again.
const { setUnhandledPromiseRejectionHandler } = typeof Graal === 'object' ? Graal : {};
if (lent === null) {
  for (const name of ['print', 'printErr', 'load', 'loadWithNewGlobal', 'Graal', 'arguments', toStringTag]) {
    reflectDelete(global, name);
  }
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// Errors. `where` says what is being done, as a linked list of texts from the outside in, so that
// nothing is concatenated unless it goes wrong.

function describe(where, text) {
  let message = text;
  for (let at = where; at !== null; at = at.outer) {
    message = `${at.text}: ${message}`;
  }
  return message;
}

function typeError(where, text) {
  return new TypeErrorCtor(describe(where, text));
}

function within(outer, text) {
  return { __proto__: null, outer, text };
}

// A promise that page script never sees: `then` on it asks nobody for its species.
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
