// Buffer sources: https://webidl.spec.whatwg.org/#idl-buffer-source-types

import {
  apply, charCodeAt, getOwnPropertyDescriptor, getPrototypeOf, isObject, isView, toStringTag, typeError,
} from './capture.js';

const ArrayBufferCtor = ArrayBuffer;
const Uint8ArrayCtor = Uint8Array;

// For older versions of the language, which a realm of the embedder may have: setFromHex.
function digit(text, at) {
  const code = apply(charCodeAt, text, [at]);
  return code - (code < 58 ? 48 : 87);
}
function setFromDigits(text) {
  for (let i = 0; i < text.length; i += 2) {
    this[i / 2] = digit(text, i) * 16 + digit(text, i + 1);
  }
}
const setFromHex = Uint8Array.prototype.setFromHex ?? setFromDigits;
export const getterOf = (proto, name) => getOwnPropertyDescriptor(proto, name).get;
const typedArrayProto = getPrototypeOf(Uint8Array.prototype);
const { set: setElements } = typedArrayProto;
const bufferByteLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const bufferResizable = getterOf(ArrayBuffer.prototype, 'resizable');
const bufferImmutable = getOwnPropertyDescriptor(ArrayBuffer.prototype, 'immutable')?.get;
const sharedByteLength = typeof SharedArrayBuffer === 'function' ? getterOf(SharedArrayBuffer.prototype, 'byteLength') : undefined;
const sharedGrowable = sharedByteLength && getterOf(SharedArrayBuffer.prototype, 'growable');
const typedArrayTag = getterOf(typedArrayProto, toStringTag);
const viewBuffer = getterOf(typedArrayProto, 'buffer');
const viewOffset = getterOf(typedArrayProto, 'byteOffset');
const viewLength = getterOf(typedArrayProto, 'byteLength');
const dataViewBuffer = getterOf(DataView.prototype, 'buffer');
const dataViewOffset = getterOf(DataView.prototype, 'byteOffset');
const dataViewLength = getterOf(DataView.prototype, 'byteLength');

// Returns whether a value has the internal slot that the getter checks for.
function hasSlot(getter, value) {
  try {
    apply(getter, value, []);
    return true;
  } catch {
    return false;
  }
}

export function isBufferOf(name, value) {
  switch (name) {
    case 'ArrayBuffer':
      return hasSlot(bufferByteLength, value);
    case 'SharedArrayBuffer':
      return sharedByteLength !== undefined && hasSlot(sharedByteLength, value);
    case 'DataView':
      return isView(value) && apply(typedArrayTag, value, []) === undefined;
    default:
      return isView(value) && apply(typedArrayTag, value, []) === name;
  }
}

// Passes the parts of a DataView to `accept`; the length is 0 if its buffer is detached or too
// short.
function dataViewParts(view, accept) {
  const buffer = apply(dataViewBuffer, view, []);
  let offset = 0;
  let length = 0;
  try {
    length = apply(dataViewLength, view, []);
    offset = apply(dataViewOffset, view, []);
  } catch {
    length = 0;
  }
  accept(buffer, offset, length);
}

// https://webidl.spec.whatwg.org/#js-buffer-source-types
export function bufferConverter({ n, shared, resizable }) {
  return (value, where) => {
    if (!isObject(value) || !isBufferOf(n, value)) {
      throw typeError(where, `The provided value is not of type '${n}'`);
    }
    const buffer = n === 'ArrayBuffer' || n === 'SharedArrayBuffer'
      ? value
      : apply(n === 'DataView' ? dataViewBuffer : viewBuffer, value, []);
    const isShared = n === 'SharedArrayBuffer' || (n !== 'ArrayBuffer' && isBufferOf('SharedArrayBuffer', buffer));
    if (isShared && n !== 'SharedArrayBuffer' && !shared) {
      throw typeError(where, 'The provided value must not be shared');
    }
    if (!resizable && apply(isShared ? sharedGrowable : bufferResizable, buffer, [])) {
      throw typeError(where, 'The provided value must not be resizable');
    }
    return value;
  };
}

// The functions for BufferSources.java.
export const buffers = {
  __proto__: null,

  // Passes the buffer, the offset and the length of a buffer source to `accept`; returns false for
  // any other value.
  bufferParts(value, accept) {
    if (!isObject(value)) {
      return false;
    }
    if (isView(value)) {
      const tag = apply(typedArrayTag, value, []);
      if (tag !== undefined) {
        accept(apply(viewBuffer, value, []), apply(viewOffset, value, []), apply(viewLength, value, []));
      } else {
        dataViewParts(value, accept);
      }
      return true;
    }
    if (isBufferOf('ArrayBuffer', value)) {
      accept(value, 0, apply(bufferByteLength, value, []));
      return true;
    }
    if (isBufferOf('SharedArrayBuffer', value)) {
      accept(value, 0, apply(sharedByteLength, value, []));
      return true;
    }
    return false;
  },

  // Returns whether a view has an immutable buffer; null if the engine has no such buffers.
  isImmutableView: bufferImmutable === undefined ? null : (view) => {
    const buffer = apply(apply(typedArrayTag, view, []) === undefined ? dataViewBuffer : viewBuffer, view, []);
    return hasSlot(bufferImmutable, buffer) && apply(bufferImmutable, buffer, []);
  },

  arrayBuffer(length) {
    return new ArrayBufferCtor(length);
  },

  // Writes bytes, given as hexadecimal digits or as a byte buffer of the host, into a buffer.
  fill(buffer, offset, bytes) {
    const to = new Uint8ArrayCtor(buffer, offset);
    if (typeof bytes === 'string') {
      apply(setFromHex, to, [bytes]);
    } else {
      apply(setElements, to, [new Uint8ArrayCtor(new ArrayBufferCtor(bytes))]);
    }
  },

  // Returns whether the engine accepts a byte buffer of the host, tested with a single byte.
  takesByteBuffer(bytes, byte) {
    const copy = new Uint8ArrayCtor(1);
    try {
      apply(setElements, copy, [new Uint8ArrayCtor(new ArrayBufferCtor(bytes))]);
    } catch {
      return false;
    }
    return copy[0] === byte;
  },

  uint8Array(buffer) {
    return new Uint8ArrayCtor(buffer);
  },
};
