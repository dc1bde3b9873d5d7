(function (library, record) {
  'use strict';
  const { converter, failure, implementing, newList, notAReceiver, seam, stackOverflow, takeFailure, tooFewArguments } = library;
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
      give() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'give' on 'A'");
        let result;
        try {
          result = seam(0, impl);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
        return result;
      },
      take(s, e = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        s = (convert0 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"octet"}}}))(s, "Failed to execute 'take' on 'A': parameter 1 ('s')");
        if (e === undefined) {
          e = newList();
        } else {
          e = (convert1 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"any"}}))(e, "Failed to execute 'take' on 'A': parameter 2 ('e')");
        }
        let result;
        try {
          result = seam(1, impl, s, e);
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
