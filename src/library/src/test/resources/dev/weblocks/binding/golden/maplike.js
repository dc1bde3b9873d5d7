(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "M",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: null,
    valueIterator: false,
    pairs: -1,
    maplike: {__proto__:null,"key":{__proto__:null,"k":"simple","n":"DOMString"},"value":{__proto__:null,"k":"simple","n":"long"},"readOnly":false,"own":[]},
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
  return {
    __proto__: null,
    name: "R",
    parent: -1,
    chain: [1],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: null,
    valueIterator: false,
    pairs: -1,
    maplike: {__proto__:null,"key":{__proto__:null,"k":"simple","n":"DOMString"},"value":{__proto__:null,"k":"interface","n":"M","id":0,"depth":0},"readOnly":true,"own":[]},
    setlike: null,
    unscopables: [],
    consts: [],
    factories: null,
    statics: null,
    unforgeables: null,
    members: null,
  };
})
// names of the global: [Exposure[name=M, part=0, kind=INTERFACE], Exposure[name=R, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
