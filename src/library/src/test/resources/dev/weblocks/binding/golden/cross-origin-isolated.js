(function (library, record) {
  'use strict';
  const { callGetter, callSetter, implementing, notAReceiver, toInteger } = library;
  return {
    __proto__: null,
    name: "A",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: null,
    valueIterator: false,
    pairs: -1,
    maplike: null,
    setlike: null,
    unscopables: [],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      get always() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'always' property from 'A'");
        return callGetter(0, impl);
      },
      set always(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'always' property on 'A'");
        value = toInteger(value, 32, true);
        callSetter(1, impl, value);
      },
    },
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
