// Tells what a view is a view of; evaluated once per realm before page script. `tell` gets the name of
// the typed array's constructor, undefined for a DataView, and the number of bytes.
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
