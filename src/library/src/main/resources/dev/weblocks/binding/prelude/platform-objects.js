// The objects for Java implementations.

import { backingOf, create, define, implOf, put, typeOf } from './capture.js';
import { legacyObject } from './legacy-objects.js';
import { isPlain, makeRecord, newError, newObject, prepare, records, stampStack } from './interfaces.js';

// Makes the object for a Java implementation.
export function wrap(id, impl) {
  const record = records[id] ?? makeRecord(id);
  let made;
  if ((record.plain ??= isPlain(record))) {
    made = create(record.proto);
    put(made, impl, record, undefined);
  } else if (record.legacy !== null) {
    const exotic = legacyObject(record, record.proto);
    exotic.impl = impl;
    made = prepare(exotic.proxy, record, impl, exotic.target);
  } else {
    const object = newObject(record, record.proto);
    made = prepare(object, record, impl, object);
  }
  return made;
}

// The functions for PlatformObjects.java.
export const platformObjects = {
  __proto__: null,
  wrap,

  // Makes the object for a DOMException that Java has made. `copied` is the stack of the original if
  // the exception is a copy, otherwise null.
  wrapError(id, impl, title, copied) {
    const record = records[id] ?? makeRecord(id);
    const object = newError(record.proto);
    put(object, impl, record, undefined);
    if (copied === null) {
      stampStack(object, title);
    } else {
      define(object, 'stack', copied, false, true, true);
    }
    return object;
  },

  isPlatformObject(value) {
    return typeOf(value) !== undefined;
  },

  // Returns the Java implementation of a platform object, null for anything else.
  implementation(value) {
    return typeOf(value) === undefined ? null : implOf(value);
  },

  // Returns the entries of a maplike or setlike object.
  backingOf,
};
