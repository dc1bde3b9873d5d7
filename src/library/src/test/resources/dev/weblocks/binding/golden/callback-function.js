(function (library, record) {
  'use strict';
  const { callGetter, callSetter, failure, implementing, isObject, notAFunction, notAReceiver, seam, stackOverflow, takeFailure, tooFewArguments } = library;
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
      get onit() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'onit' property from 'A'");
        return callGetter(0, impl);
      },
      set onit(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'onit' property on 'A'");
        value = isObject(value) ? value : null;
        callSetter(1, impl, value);
      },
      take(c) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        if (typeof c !== 'function') {
          throw notAFunction("Failed to execute 'take' on 'A': parameter 1 ('c')");
        }
        let result;
        try {
          result = seam(2, impl, c);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
      },
      maybe(c) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'maybe' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'maybe' on 'A'", 1, arguments.length);
        }
        c = c === null || c === undefined ? null : typeof c === 'function' ? c : notAFunction("Failed to execute 'maybe' on 'A': parameter 1 ('c')");
        let result;
        try {
          result = seam(3, impl, c);
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
