// Errors, read without running code of a page.

import {
  getOwnPropertyDescriptor, getPrototypeOf, hasOwn, implOf, isError, isObject, setProto, symbolText, tables, typeOf,
} from './capture.js';
import { toDOMString } from './conversions.js';
import { callSeam } from './operations.js';

export function ownValue(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? undefined : setProto(descriptor, null).value;
}

// Set by errorReader.
export let isProxyObject;

// Returns the functions for ErrorReader.java.
//
// isProxy   whether an object is a Proxy; runs no code of the object
// framesOf  the frames of an error, as lines
export function errorReader(isProxy, framesOf) {
  isProxyObject = isProxy;
  // `nearest` returns the value of the nearest property; `hidden` if reading or showing it would
  // run code of a page.
  const hidden = { __proto__: null };
  function nearest(error, key) {
    for (let at = error; at !== null; at = getPrototypeOf(at)) {
      if (isProxy(at)) {
        return hidden;
      }
      const descriptor = getOwnPropertyDescriptor(at, key);
      if (descriptor !== undefined) {
        setProto(descriptor, null);
        const { value } = descriptor;
        return descriptor.get === undefined && descriptor.set === undefined && !isObject(value) && typeof value !== 'symbol'
          ? value
          : hidden;
      }
    }
    return undefined;
  }

  function nearestText(error, key, otherwise) {
    const value = nearest(error, key);
    return value === undefined ? otherwise : value === hidden ? undefined : `${value}`;
  }

  function constructorName(error) {
    for (let at = error; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
      const constructor = ownValue(at, 'constructor');
      if (typeof constructor === 'function') {
        const name = isProxy(constructor) ? undefined : ownValue(constructor, 'name');
        return typeof name === 'string' && name !== '' ? name : undefined;
      }
    }
    return undefined;
  }

  // https://tc39.es/ecma262/#sec-error.prototype.tostring, without the parts that run code of a
  // page
  function titleOf(error) {
    if (typeOf(error)?.error) {
      return callSeam(tables.errorTitle, implOf(error), undefined);
    }
    const name = nearestText(error, 'name', 'Error') ?? constructorName(error) ?? 'Error';
    const message = nearestText(error, 'message', '') ?? '';
    return name === '' ? message : message === '' ? name : `${name}: ${message}`;
  }

  // Returns whether a read of the property `stack` of an error runs no code of a page. The engine
  // writes the text at the first read, and reads and converts name and message then. DOMException
  // objects have the text from the start.
  function isStackPlain(error) {
    return typeOf(error)?.error || (nearest(error, 'name') !== hidden && nearest(error, 'message') !== hidden);
  }

  return {
    __proto__: null,
    isError,
    isStackPlain,

    // Returns the stack of an error, null if it has none that is a string.
    stackOf(error) {
      if (!isError(error)) {
        return null;
      }
      if (isStackPlain(error)) {
        const stack = ownValue(error, 'stack');
        return typeof stack === 'string' ? stack : null;
      }
      if (!hasOwn(error, 'stack')) {
        return null;
      }
      const frames = framesOf(error);
      return frames === '' ? titleOf(error) : `${titleOf(error)}\n${frames}`;
    },

    // Returns the text of an exception for an error event. Values that are not errors are converted
    // to strings.
    textOf(error) {
      if (isError(error)) {
        return titleOf(error);
      }
      try {
        return toDOMString(typeof error === 'symbol' ? symbolText(error) : error);
      } catch {
        return 'exception that cannot be shown as text';
      }
    },
  };
}
