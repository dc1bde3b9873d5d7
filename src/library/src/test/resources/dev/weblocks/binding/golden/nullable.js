(function (library, record) {
  'use strict';
  const { callGetter, callSetter, failure, implementing, notAReceiver, notOfType, seam, stackOverflow, takeFailure, toInteger, tooFewArguments } = library;
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
      get s() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 's' property from 'A'");
        return callGetter(0, impl);
      },
      set s(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 's' property on 'A'");
        value = value === null || value === undefined ? null : typeof value === 'string' ? value : `${value}`;
        callSetter(1, impl, value);
      },
      get a() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'a' property from 'A'");
        return callGetter(2, impl);
      },
      set a(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'a' property on 'A'");
        value = value === null || value === undefined ? null : implementing(value, 0, 0) ?? notOfType("A", "Failed to set the 'a' property on 'A'");
        callSetter(3, impl, value);
      },
      take(n) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        n = n === null || n === undefined ? null : toInteger(n, 32, true);
        let result;
        try {
          result = seam(4, impl, n);
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
