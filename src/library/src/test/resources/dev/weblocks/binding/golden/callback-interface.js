(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toObject, tooFewArguments } = library;
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
      take(c) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        c = c === null || c === undefined ? null : toObject(c, "Failed to execute 'take' on 'A': parameter 1 ('c')");
        let result;
        try {
          result = seam(0, impl, c);
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
(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "C",
    consts: [["ACCEPT",1]],
    factories: null,
    statics: null,
    unforgeables: null,
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE], Exposure[name=C, part=1, kind=CALLBACK_INTERFACE]]
// enumerations: {__proto__:null}
