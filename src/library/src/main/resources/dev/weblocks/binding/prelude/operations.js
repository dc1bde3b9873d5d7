// The functions that the generated code of interfaces uses, see PartCode.java.

import {
  apply, define, failure, global, implementing, isObject, iterator, newList, PromiseCtor, reflectSet, rejected,
  seam, stackOverflow, tables, takeFailure, TypeErrorCtor,
} from './capture.js';
import { isBufferOf } from './buffers.js';
import {
  convertDictionary, converter, dictionary, missing, notAFunction, notOfType, toBigint, toByteString,
  toClampedInteger, toDictionary, toDouble, toEnum, toFloat, toInteger, toIntegerInRange, toObject, toPromise,
  toSymbol, toUnrestrictedFloat, toUSVString,
} from './conversions.js';
import { legacyObject } from './legacy-objects.js';
import { newObject, prepare, prototypeFor } from './interfaces.js';

// Returns a new promise with its resolving functions. Java has this object in place of the promise.
export function newCapability() {
  let resolve;
  let reject;
  const promise = new PromiseCtor((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  return { __proto__: null, promise, resolve, reject };
}

// The seam itself throws no exception. If one arrives, the stack was too small to enter Java.
export function callSeam(id, impl, argument) {
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

function callGetter(id, impl) {
  let result;
  try {
    result = seam(id, impl);
  } catch {
    throw stackOverflow();
  }
  if (result === failure) {
    throw takeFailure();
  }
  return result;
}

// For setters of legacy platform objects.
export function callSeamWithKey(id, impl, key, value) {
  let result;
  try {
    result = seam(id, impl, key, value);
  } catch {
    throw stackOverflow();
  }
  if (result === failure) {
    throw takeFailure();
  }
}

export function tooFewArguments(label, required, given) {
  return new TypeErrorCtor(
    `${label}: ${required} argument${required === 1 ? '' : 's'} required, but only ${given} present.`);
}

function overloadFailed(label) {
  return new TypeErrorCtor(`${label}: Overload resolution failed.`);
}

function notAReceiver(name, label) {
  throw new TypeErrorCtor(`${label}: 'this' is not an object that implements ${name}`);
}

// https://webidl.spec.whatwg.org/#es-operations and #es-attributes: the value of `this`
export function receiver(record, value, label) {
  return implementing(value ?? global, record.depth, record.id) ?? notAReceiver(record.name, label);
}

// Returns a list for values whose number is large, or depends on the call. The number of the member
// is set when the overload is known.
function newValues(self) {
  const values = newList();
  values[0] = undefined;
  values[1] = self;
  return values;
}

// The only setter that, by Web IDL, reads properties which page script may have replaced.
function putForward(object, name, forward, value, label) {
  const target = object[name];
  if (!isObject(target)) {
    throw new TypeErrorCtor(`${label}: The value of '${name}' is not an object`);
  }
  reflectSet(target, forward, value, target); // failure is not an error
}

// Stores the members of a dictionary argument into a list for Java, from `at` on.
function fillDictionary(name, value, where, list, at) {
  convertDictionary(dictionary(name), value, where, list, at);
}

// CodeScope.java has the names of all members.
export const library = {
  __proto__: null,
  apply,
  callGetter,
  callSetter: callSeam,
  converter,
  define,
  enums: tables.enums,
  failure,
  fillDictionary,
  global,
  implementing,
  isBufferOf,
  isObject,
  iterator,
  legacyObject,
  missing,
  newCapability,
  newList,
  newObject,
  newValues,
  notAFunction,
  notAReceiver,
  notOfType,
  overloadFailed,
  prepare,
  prototypeFor,
  putForward,
  rejected,
  seam,
  stackOverflow,
  takeFailure,
  toBigint,
  toByteString,
  toClampedInteger,
  toDictionary,
  toDouble,
  toEnum,
  toFloat,
  toInteger,
  toIntegerInRange,
  toObject,
  toPromise,
  toSymbol,
  toUSVString,
  toUnrestrictedFloat,
  tooFewArguments,
};
