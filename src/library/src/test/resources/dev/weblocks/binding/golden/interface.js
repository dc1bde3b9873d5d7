(function (library, record) {
  'use strict';
  const { apply, callGetter, callSetter, failure, implementing, newObject, newValues, notAReceiver, prepare, prototypeFor, seam, stackOverflow, takeFailure, toInteger, tooFewArguments } = library;
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
    ctor: {
      A: class extends null {
        constructor(x) {
          if (arguments.length < 1) {
            throw tooFewArguments("Failed to construct 'A'", 1, arguments.length);
          }
          if (typeof x !== 'string') {
            x = `${x}`;
          }
          const object = newObject(record, prototypeFor(record, new.target));
          let result;
          try {
            result = seam(5, object, x);
          } catch {
            throw stackOverflow();
          }
          if (result === failure) {
            throw takeFailure();
          }
          return prepare(object, record, result, object);
        }
      },
    }.A,
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      get r() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'r' property from 'A'");
        return callGetter(0, impl);
      },
      get w() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to read the 'w' property from 'A'");
        return callGetter(1, impl);
      },
      set w(value) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to set the 'w' property on 'A'");
        if (typeof value !== 'string') {
          value = `${value}`;
        }
        callSetter(2, impl, value);
      },
      op() {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'op' on 'A'");
        let result;
        try {
          result = seam(3, impl);
        } catch {
          throw stackOverflow();
        }
        if (result === failure) {
          throw takeFailure();
        }
      },
      val(a, b = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'val' on 'A'");
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'val' on 'A'", 1, arguments.length);
        }
        const values = newValues(impl);
        a = toInteger(a, 32, true);
        values[2] = a;
        if (b === undefined) {
          b = 3;
        } else {
          b = toInteger(b, 32, true);
        }
        values[3] = b;
        for (let i = 2; i < arguments.length; i++) {
          let rest = arguments[i];
          values[i + 2] = rest;
        }
        values[0] = 4;
        let result;
        try {
          result = apply(seam, undefined, values);
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
(function (library, record) {
  'use strict';
  return {
    __proto__: null,
    name: "B",
    parent: 0,
    chain: [0,1],
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
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE], Exposure[name=B, part=1, kind=INTERFACE]]
// enumerations: {__proto__:null}
