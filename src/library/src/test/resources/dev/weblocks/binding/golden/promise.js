(function (library, record) {
  'use strict';
  const { callGetter, failure, implementing, notAReceiver, rejected, seam, stackOverflow, takeFailure, toPromise, tooFewArguments } = library;
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
      get ready() {
        let returned;
        try {
          const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'ready' property from 'A'");
          returned = callGetter(0, impl);
        } catch (reason) {
          returned = rejected(reason);
        }
        return returned;
      },
      give() {
        let returned;
        try {
          const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'give' on 'A'");
          let result;
          try {
            result = seam(1, impl);
          } catch {
            throw stackOverflow();
          }
          if (result === failure) {
            throw takeFailure();
          }
          returned = result;
        } catch (reason) {
          returned = rejected(reason);
        }
        return returned;
      },
      take(p) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        p = toPromise(p);
        let result;
        try {
          result = seam(2, impl, p);
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
