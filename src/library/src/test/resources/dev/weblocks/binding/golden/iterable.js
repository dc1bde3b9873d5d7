(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "P",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: null,
    valueIterator: false,
    pairs: 0,
    maplike: null,
    setlike: null,
    unscopables: [],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: null,
  };
})
(function (library, record) {
  'use strict';
  const { callGetter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, toInteger, tooFewArguments } = library;
  return {
    __proto__: null,
    name: "V",
    parent: -1,
    chain: [1],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: {__proto__:null,"indexed":{__proto__:null,"get":2,"set":-1,"delete":-1,"size":1},"named":null,"overrideBuiltIns":false,"enumerableNames":true},
    valueIterator: true,
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
      get length() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("V", "Failed to read the 'length' property from 'V'");
        return callGetter(1, impl);
      },
      item(index) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("V", "Failed to execute 'item' on 'V'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'item' on 'V'", 1, arguments.length);
        }
        index = toInteger(index, 32, false);
        let result;
        try {
          result = seam(2, impl, index);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
        return result;
      },
    },
  };
})
// names of the global: [Exposure[name=P, part=0, kind=INTERFACE], Exposure[name=V, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
