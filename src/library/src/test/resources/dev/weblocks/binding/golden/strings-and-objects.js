(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toByteString, toObject, toSymbol, toUSVString, tooFewArguments } = library;
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
      f(a, b, c, d, e, f, g) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'f' on 'A'");
        if (arguments.length < 7) {
          throw tooFewArguments("Failed to execute 'f' on 'A'", 7, arguments.length);
        }
        if (typeof a !== 'string') {
          a = `${a}`;
        }
        b = toByteString(b, "Failed to execute 'f' on 'A': parameter 2 ('b')");
        c = toUSVString(c);
        d = toObject(d, "Failed to execute 'f' on 'A': parameter 4 ('d')");
        e = toSymbol(e, "Failed to execute 'f' on 'A': parameter 5 ('e')");
        g = undefined;
        let result;
        try {
          result = seam(0, impl, a, b, c, d, e, f, g);
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
