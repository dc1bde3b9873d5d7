(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "S",
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
    members: null,
  };
})
(function (library, record) {
  'use strict';
  const { callGetter, callSetter, implementing, notAReceiver, toInteger } = library;
  return {
    __proto__: null,
    name: "A",
    parent: -1,
    chain: [1],
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
      get only() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to read the 'only' property from 'A'");
        return callGetter(0, impl);
      },
      set only(value) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to set the 'only' property on 'A'");
        value = toInteger(value, 32, true);
        callSetter(1, impl, value);
      },
    },
  };
})
// names of the global: [Exposure[name=S, part=0, kind=INTERFACE], Exposure[name=A, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
