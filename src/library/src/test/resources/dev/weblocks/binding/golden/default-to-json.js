(function (library, record) {
  'use strict';
  const { callGetter, define, implementing, notAReceiver } = library;
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
      get a() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'a' property from 'A'");
        return callGetter(0, impl);
      },
      get b() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'b' property from 'A'");
        return callGetter(1, impl);
      },
      get c() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'c' property from 'A'");
        return callGetter(2, impl);
      },
      toJSON() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'toJSON' on 'A'");
        const json = {};
        define(json, "a", callGetter(0, impl), true, true, true);
        return json;
      },
    },
  };
})
(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "C",
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
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE], Exposure[name=C, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
