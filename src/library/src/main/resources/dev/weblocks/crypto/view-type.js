// Finds the type of a view; evaluated once per realm before page script. Calls `tell` with the name
// of the typed array's constructor and the number of bytes; for a DataView, with undefined and 0.
(function () {
  'use strict';

  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const typedArray = getPrototypeOf(Uint8Array.prototype);
  const tag = getOwnPropertyDescriptor(typedArray, Symbol.toStringTag).get;
  const byteLength = getOwnPropertyDescriptor(typedArray, 'byteLength').get;

  return (view, tell) => {
    const name = apply(tag, view, []);
    tell(name, name === undefined ? 0 : apply(byteLength, view, []));
  };
});
