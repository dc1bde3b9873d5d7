(function (library, record) {
  'use strict';
  const { callGetter, callSetter, converter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toClampedInteger, toIntegerInRange, tooFewArguments } = library;
  let convert0;
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
        value = toIntegerInRange(value, 64, false, "Failed to set the 'e' property on 'A'");
        callSetter(1, impl, value);
      },
      f(a, b, c) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'f' on 'A'");
        if (arguments.length < 3) {
          throw tooFewArguments("Failed to execute 'f' on 'A'", 3, arguments.length);
        }
        a = toClampedInteger(a, 32, true);
        b = toClampedInteger(b, 8, false);
        c = (convert0 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"short","mode":"EnforceRange"}}))(c, "Failed to execute 'f' on 'A': parameter 3 ('c')");
        let result;
        try {
          result = seam(2, impl, a, b, c);
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
