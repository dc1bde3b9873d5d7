(function (library, record) {
  'use strict';
  const { callGetter, callSetter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toInteger } = library;
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
      get m() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'm' property from 'A'");
        return callGetter(0, impl);
      },
      set m(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'm' property on 'A'");
        value = toInteger(value, 32, true);
        callSetter(1, impl, value);
      },
      op() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'op' on 'A'");
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
