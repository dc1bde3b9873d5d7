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
    unscopables: ["remove","slot"],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      get slot() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'slot' property from 'A'");
        return callGetter(0, impl);
      },
      remove() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'remove' on 'A'");
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
      other() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'other' on 'A'");
        let result;
        try {
          result = seam(2, impl);
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
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
