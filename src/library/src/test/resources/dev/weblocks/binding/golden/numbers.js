(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toBigint, toDouble, toFloat, toInteger, toUnrestrictedFloat, tooFewArguments } = library;
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
      f(a, b, c, d, e, f, g, h, i, j, k, l, m) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'f' on 'A'");
        if (arguments.length < 13) {
          throw tooFewArguments("Failed to execute 'f' on 'A'", 13, arguments.length);
        }
        a = toInteger(a, 8, true);
        b = toInteger(b, 8, false);
        c = toInteger(c, 16, true);
        d = toInteger(d, 16, false);
        e = toInteger(e, 32, true);
        f = toInteger(f, 32, false);
        g = toInteger(g, 64, true);
        h = toInteger(h, 64, false);
        i = toFloat(i, "Failed to execute 'f' on 'A': parameter 9 ('i')");
        j = toUnrestrictedFloat(j);
        k = toDouble(k, "Failed to execute 'f' on 'A': parameter 11 ('k')");
        l = +l;
        m = toBigint(m);
        let result;
        try {
          result = seam(0, impl, a, b, c, d, e, f, g, h, i, j, k, l, m);
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
