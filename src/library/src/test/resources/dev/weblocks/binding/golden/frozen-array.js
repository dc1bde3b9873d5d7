(function (library, record) {
  'use strict';
  const { callGetter, callSetter, converter, implementing, notAReceiver } = library;
  let convert0;
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
      get list() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'list' property from 'A'");
        return callGetter(0, impl);
      },
      get settable() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'settable' property from 'A'");
        return callGetter(1, impl);
      },
      set settable(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'settable' property on 'A'");
        value = (convert0 ??= converter({__proto__:null,"k":"sequence","t":{__proto__:null,"k":"interface","n":"A","id":0,"depth":0}}))(value, "Failed to set the 'settable' property on 'A'");
        callSetter(2, impl, value);
      },
    },
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
