(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "B",
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
    members: null,
  };
})
(function (library, record) {
  'use strict';
  const { converter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, tooFewArguments } = library;
  let convert0, convert1, convert2;
  return {
    __proto__: null,
    name: "A",
    parent: -1,
    chain: [1],
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
      take(u, n = undefined, m = undefined) {
        const impl = implementing(this, 0, 1) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        u = (convert0 ??= converter({__proto__:null,"k":"union","nullable":false,"types":[{__proto__:null,"k":"interface","n":"B","id":0,"depth":0},{__proto__:null,"k":"simple","n":"DOMString"},{__proto__:null,"k":"simple","n":"boolean"},{__proto__:null,"k":"simple","n":"double"}]}))(u, "Failed to execute 'take' on 'A': parameter 1 ('u')");
        if (n === undefined) {
          n = (convert1 ??= converter({__proto__:null,"k":"union","nullable":false,"types":[{__proto__:null,"k":"dictionary","n":"D"},{__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"long"}}]}))(undefined, "Failed to execute 'take' on 'A': parameter 2 ('n')");
        } else {
          n = (convert1 ??= converter({__proto__:null,"k":"union","nullable":false,"types":[{__proto__:null,"k":"dictionary","n":"D"},{__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"long"}}]}))(n, "Failed to execute 'take' on 'A': parameter 2 ('n')");
        }
        if (m === undefined) {
          m = null;
        } else {
          m = (convert2 ??= converter({__proto__:null,"k":"union","nullable":true,"types":[{__proto__:null,"k":"simple","n":"boolean"},{__proto__:null,"k":"simple","n":"long"}]}))(m, "Failed to execute 'take' on 'A': parameter 3 ('m')");
        }
        let result;
        try {
          result = seam(0, impl, u, n, m);
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
// members of D: [{__proto__:null,"name":"x","owner":"D","type":{__proto__:null,"k":"simple","n":"long"},"required":false}]
// names of the global: [Exposure[name=B, part=0, kind=INTERFACE], Exposure[name=A, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
