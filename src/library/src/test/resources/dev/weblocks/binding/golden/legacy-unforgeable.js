(function (library, record) {
  'use strict';
  const { callGetter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure } = library;
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
    unforgeables: {
      __proto__: null,
      get a() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'a' property from 'A'");
        return callGetter(0, impl);
      },
      op() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'op' on 'A'");
        let result;
        try {
          result = seam(1, impl);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
      },
    },
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
