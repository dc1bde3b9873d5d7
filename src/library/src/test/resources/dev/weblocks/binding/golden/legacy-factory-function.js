(function (library, record) {
  'use strict';
  const { failure, newObject, prepare, prototypeFor, seam, stackOverflow, takeFailure, toInteger } = library;
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
    factories: {
      __proto__: null,
      Image(w = undefined, h = undefined) {
        if (w !== undefined) {
          w = toInteger(w, 32, false);
        }
        if (h !== undefined) {
          h = toInteger(h, 32, false);
        }
        const object = newObject(record, prototypeFor(record, this));
        let result;
        try {
          result = seam(0, object, w, h);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
        return prepare(object, record, result, object);
      },
    },
    statics: null,
    unforgeables: null,
    members: null,
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE], Exposure[name=Image, part=0, kind=FACTORY]]
// enumerations: {__proto__:null}
