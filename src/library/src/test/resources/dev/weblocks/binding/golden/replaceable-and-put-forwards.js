(function (library, record) {
  'use strict';
  const { callGetter, callSetter, implementing, notAReceiver } = library;
  return {
    __proto__: null,
    name: "B",
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
      get href() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("B", "Failed to read the 'href' property from 'B'");
        return callGetter(0, impl);
      },
      set href(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("B", "Failed to set the 'href' property on 'B'");
        if (typeof value !== 'string') {
          value = `${value}`;
        }
        callSetter(1, impl, value);
      },
    },
  };
})
(function (library, record) {
  'use strict';
  const { callGetter, define, implementing, notAReceiver, putForward } = library;
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
      get r() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to read the 'r' property from 'A'");
        return callGetter(2, impl);
      },
      set r(value) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to set the 'r' property on 'A'");
        define(this, "r", value, true, true, true);
      },
      get b() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to read the 'b' property from 'A'");
        return callGetter(3, impl);
      },
      set b(value) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to set the 'b' property on 'A'");
        putForward(this, "b", "href", value, "Failed to set the 'b' property on 'A'");
      },
    },
  };
})
// names of the global: [Exposure[name=B, part=0, kind=INTERFACE], Exposure[name=A, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
