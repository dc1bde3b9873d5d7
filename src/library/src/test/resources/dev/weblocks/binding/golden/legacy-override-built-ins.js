(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "A",
    parent: -1,
    chain: [0],
    global: false,
    globalChain: false,
    hidden: false,
    error: false,
    legacy: {__proto__:null,"indexed":null,"named":{__proto__:null,"get":0,"set":-1,"delete":-1,"names":1},"overrideBuiltIns":true,"enumerableNames":false},
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
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
