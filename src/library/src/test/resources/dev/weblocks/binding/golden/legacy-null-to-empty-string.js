(function (library, record) {
  'use strict';
  const { callGetter, callSetter, implementing, notAReceiver } = library;
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
      get s() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 's' property from 'A'");
        return callGetter(0, impl);
      },
      set s(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 's' property on 'A'");
        value = value === null ? '' : typeof value === 'string' ? value : `${value}`;
        callSetter(1, impl, value);
      },
    },
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
