(function (library, record) {
  'use strict';
  const { failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toDictionary, toInteger } = library;
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
      take(d = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        d = toDictionary(d, "D", "Failed to execute 'take' on 'A': parameter 1 ('d')");
        let a = d.a;
        if (a === undefined) {
          a = 1;
        } else {
          a = toInteger(a, 32, true);
        }
        let z = d.z;
        if (z !== undefined) {
          z = toInteger(z, 32, true);
        }
        let result;
        try {
          result = seam(0, impl, a, z);
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
// members of D: [{__proto__:null,"name":"a","owner":"D","type":{__proto__:null,"k":"simple","n":"long"},"required":false,"default":1},{__proto__:null,"name":"z","owner":"D","type":{__proto__:null,"k":"simple","n":"long"},"required":false}]
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
