(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "S",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: {__proto__:null,"indexed":null,"named":{__proto__:null,"get":0,"set":2,"delete":3,"names":1,"type":{__proto__:null,"k":"simple","n":"long"}},"overrideBuiltIns":false,"enumerableNames":true},
    valueIterator: false,
    pairs: -1,
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
    name: "I",
    parent: -1,
    chain: [1],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: {__proto__:null,"indexed":{__proto__:null,"get":5,"set":6,"delete":-1,"size":4,"type":{__proto__:null,"k":"simple","n":"any"}},"named":null,"overrideBuiltIns":false,"enumerableNames":true},
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
      get length() {
        const impl = implementing(this, 0, 1) ?? notAReceiver("I", "Failed to read the 'length' property from 'I'");
        return callGetter(4, impl);
      },
      item(i) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("I", "Failed to execute 'item' on 'I'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'item' on 'I'", 1, arguments.length);
        }
        i = toInteger(i, 32, false);
        let result;
        try {
          result = seam(5, impl, i);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
        return result;
      },
      put(i, v) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("I", "Failed to execute 'put' on 'I'");
        if (arguments.length < 2) {
          throw tooFewArguments("Failed to execute 'put' on 'I'", 2, arguments.length);
        }
        i = toInteger(i, 32, false);
        let result;
        try {
          result = seam(6, impl, i, v);
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
// names of the global: [Exposure[name=S, part=0, kind=INTERFACE], Exposure[name=I, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
