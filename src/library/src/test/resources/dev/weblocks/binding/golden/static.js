(function (library, record) {
  'use strict';
  const { callGetter, callSetter, failure, seam, stackOverflow, takeFailure, toInteger, tooFewArguments } = library;
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
    statics: {
      __proto__: null,
      get count() {
        return callGetter(0, null);
      },
      set count(value) {
        value = toInteger(value, 32, true);
        callSetter(1, null, value);
      },
      get fixed() {
        return callGetter(2, null);
      },
      make(x) {
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'make' on 'A'", 1, arguments.length);
        }
        x = toInteger(x, 32, true);
        let result;
        try {
          result = seam(3, null, x);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
        return result;
      },
    },
    unforgeables: null,
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
