(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure } = library;
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
    setlike: {__proto__:null,"value":{__proto__:null,"k":"simple","n":"DOMString"},"readOnly":false,"own":["clear"]},
    unscopables: [],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      clear() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("S", "Failed to execute 'clear' on 'S'");
        let result;
        try {
          result = seam(0, impl);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
      },
    },
  };
})
(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "R",
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
    setlike: {__proto__:null,"value":{__proto__:null,"k":"interface","n":"S","id":0,"depth":0},"readOnly":true,"own":[]},
    unscopables: [],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: null,
  };
})
// names of the global: [Exposure[name=S, part=0, kind=INTERFACE], Exposure[name=R, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
