(function (library, record) {
  'use strict';
  const { callGetter, callSetter, global, implementing, notAReceiver, toInteger } = library;
  return {
    __proto__: null,
    name: "B",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: true,
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
      get b() {
        const impl = implementing(this ?? global, 0, 0) ?? notAReceiver("B", "Failed to read the 'b' property from 'B'");
        return callGetter(0, impl);
      },
      set b(value) {
        const impl = implementing(this ?? global, 0, 0) ?? notAReceiver("B", "Failed to set the 'b' property on 'B'");
        value = toInteger(value, 32, true);
        callSetter(1, impl, value);
      },
    },
  };
})
(function (library, record) {
  'use strict';
  const { callGetter, callSetter, global, implementing, notAReceiver, toInteger } = library;
  return {
    __proto__: null,
    name: "A",
    parent: 0,
    chain: [0,1],
    global: true,
    globalChain: true,
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
        const impl = implementing(this ?? global, 1, 1) ?? notAReceiver("A", "Failed to read the 'a' property from 'A'");
        return callGetter(2, impl);
      },
      set a(value) {
        const impl = implementing(this ?? global, 1, 1) ?? notAReceiver("A", "Failed to set the 'a' property on 'A'");
        value = toInteger(value, 32, true);
        callSetter(3, impl, value);
      },
    },
  };
})
// names of the global: [Exposure[name=B, part=0, kind=INTERFACE], Exposure[name=A, part=1, kind=GLOBAL], Exposure[name=A, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
