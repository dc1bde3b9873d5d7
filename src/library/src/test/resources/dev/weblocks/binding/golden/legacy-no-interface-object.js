(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure } = library;
  return {
    __proto__: null,
    name: "A",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: true,
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
      op() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'op' on 'A'");
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
// names of the global: []
// enumerations: {__proto__:null}
