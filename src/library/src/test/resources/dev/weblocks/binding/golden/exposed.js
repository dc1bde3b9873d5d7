(function (library, record) {
  'use strict';
  const { callGetter, callSetter, implementing, notAReceiver, toInteger } = library;
  return {
    __proto__: null,
    name: "W",
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
      get a() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("W", "Failed to read the 'a' property from 'W'");
        return callGetter(0, impl);
      },
      set a(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("W", "Failed to set the 'a' property on 'W'");
        value = toInteger(value, 32, true);
        callSetter(1, impl, value);
      },
    },
  };
})
(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "E",
    parent: -1,
    chain: [2],
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
  return {
    __proto__: null,
    name: "Both",
    parent: -1,
    chain: [3],
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
// names of the global: [Exposure[name=W, part=0, kind=INTERFACE], Exposure[name=E, part=2, kind=INTERFACE], Exposure[name=Both, part=3, kind=INTERFACE]]
// enumerations: {__proto__:null}
