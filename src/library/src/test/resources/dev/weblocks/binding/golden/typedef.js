(function (library, record) {
  'use strict';
  const { converter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, tooFewArguments } = library;
  let convert0, convert1;
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
      take(t, l) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 2) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 2, arguments.length);
        }
        t = (convert0 ??= converter({__proto__:null,"k":"union","nullable":false,"types":[{__proto__:null,"k":"simple","n":"DOMString"},{__proto__:null,"k":"simple","n":"long"}]}))(t, "Failed to execute 'take' on 'A': parameter 1 ('t')");
        l = (convert1 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"union","nullable":false,"types":[{__proto__:null,"k":"simple","n":"DOMString"},{__proto__:null,"k":"simple","n":"long"}]}}))(l, "Failed to execute 'take' on 'A': parameter 2 ('l')");
        let result;
        try {
          result = seam(0, impl, t, l);
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
