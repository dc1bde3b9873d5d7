(function (library, record) {
  'use strict';
  const { callGetter, implementing, notAReceiver } = library;
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
      toString() {
        return callGetter(0, implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'toString' on 'A'"));
      },
    },
  };
})
(function (library, record) {
  'use strict';
  const { callGetter, implementing, notAReceiver } = library;
  return {
    __proto__: null,
    name: "B",
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
    unforgeables: {
      __proto__: null,
      get href() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("B", "Failed to read the 'href' property from 'B'");
        return callGetter(1, impl);
      },
      toString() {
        return callGetter(2, implementing(this, 0, 1) ?? notAReceiver("B", "Failed to execute 'toString' on 'B'"));
      },
    },
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE], Exposure[name=B, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
