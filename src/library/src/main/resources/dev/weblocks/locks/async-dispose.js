// Gives ReleasableLock its [Symbol.asyncDispose], which is its release(). Evaluated before page script
// runs.
//
// exposed  has the interface objects
// known    the symbol that another realm of the agent was given, or null
// mayMake  whether Symbol.asyncDispose may be made where the engine has none
//
// Returns the symbol that the realm was given, or null.
(function (exposed, known, mayMake) {
  'use strict';
  const own = Symbol.asyncDispose;
  const made = own === undefined && mayMake ? (known ?? Symbol('Symbol.asyncDispose')) : null;
  if (made !== null) {
    Object.defineProperty(Symbol, 'asyncDispose', {
      __proto__: null, value: made, writable: false, enumerable: false, configurable: false,
    });
  }
  const symbol = own ?? made;
  const { ReleasableLock } = exposed; // only where the context is secure
  if (ReleasableLock !== undefined && symbol !== null) {
    const { prototype } = ReleasableLock;
    Object.defineProperty(prototype, symbol, {
      __proto__: null, value: prototype.release, writable: true, enumerable: false, configurable: true,
    });
  }
  return made;
})
