(function (library, record) {
  'use strict';
  const { converter, failure, implementing, missing, newList, notAReceiver, seam, stackOverflow, takeFailure, toDictionary, toInteger, tooFewArguments } = library;
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
      take(d) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'take' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'take' on 'A'", 1, arguments.length);
        }
        d = toDictionary(d, "Derived", "Failed to execute 'take' on 'A': parameter 1 ('d')");
        let a = d.a;
        if (a === undefined) {
          throw missing("Failed to execute 'take' on 'A': parameter 1 ('d'): Failed to read the 'a' property from 'Base'");
        }
        if (typeof a !== 'string') {
          a = `${a}`;
        }
        let b = d.b;
        if (b !== undefined) {
          b = toInteger(b, 32, true);
        }
        let flag = d.flag;
        if (flag === undefined) {
          flag = false;
        } else {
          flag = !!flag;
        }
        let inner = d.inner;
        if (inner !== undefined) {
          inner = (convert0 ??= converter({__proto__:null,"k":"dictionary","n":"Base"}))(inner, "Failed to execute 'take' on 'A': parameter 1 ('d'): Failed to read the 'inner' property from 'Derived'");
        }
        let list = d.list;
        if (list === undefined) {
          list = newList();
        } else {
          list = (convert1 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"long"}}))(list, "Failed to execute 'take' on 'A': parameter 1 ('d'): Failed to read the 'list' property from 'Derived'");
        }
        let thing = d.thing;
        if (thing === undefined) {
          thing = null;
        }
        let result;
        try {
          result = seam(0, impl, a, b, flag, inner, list, thing);
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
// members of Base: [{__proto__:null,"name":"a","owner":"Base","type":{__proto__:null,"k":"simple","n":"DOMString"},"required":true},{__proto__:null,"name":"b","owner":"Base","type":{__proto__:null,"k":"simple","n":"long"},"required":false}]
// members of Derived: [{__proto__:null,"name":"a","owner":"Base","type":{__proto__:null,"k":"simple","n":"DOMString"},"required":true},{__proto__:null,"name":"b","owner":"Base","type":{__proto__:null,"k":"simple","n":"long"},"required":false},{__proto__:null,"name":"flag","owner":"Derived","type":{__proto__:null,"k":"simple","n":"boolean"},"required":false,"default":false},{__proto__:null,"name":"inner","owner":"Derived","type":{__proto__:null,"k":"dictionary","n":"Base"},"required":false},{__proto__:null,"name":"list","owner":"Derived","type":{__proto__:null,"k":"sequence","t":{__proto__:null,"k":"simple","n":"long"}},"required":false,"default":emptyList},{__proto__:null,"name":"thing","owner":"Derived","type":{__proto__:null,"k":"simple","n":"any"},"required":false,"default":null}]
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
