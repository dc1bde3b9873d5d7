(function (library, record) {
  'use strict';
  const { callGetter, callSetter, enums, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toEnum } = library;
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
      get e() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'e' property from 'A'");
        return callGetter(0, impl);
      },
      set e(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'e' property on 'A'");
        if (typeof value !== 'string') {
          value = `${value}`;
        }
        if (!(value in enums.E)) {
          return;
        }
        callSetter(1, impl, value);
      },
      take(e = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (e === undefined) {
          e = "one";
        } else {
          e = toEnum(e, enums.E, "E", "Failed to execute 'take' on 'A': parameter 1 ('e')");
        }
        let result;
        try {
          result = seam(2, impl, e);
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
// enumerations: {__proto__:null,"E":{__proto__:null,"one":true,"two words":true,"":true}}
