(function (library, record) {
  'use strict';
  const { apply, failure, implementing, isObject, newObject, newValues, notAReceiver, notOfType, prepare, prototypeFor, seam, stackOverflow, takeFailure, toInteger, tooFewArguments } = library;
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
        constructor(x = undefined) {
          if (arguments.length <= 0) {
            const object = newObject(record, prototypeFor(record, new.target));
            let result;
            try {
              result = seam(4, object);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
            return prepare(object, record, result, object);
          } else {
            x = toInteger(x, 32, true);
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
        }
      },
    }.A,
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      f(a, b, c = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'f' on 'A'");
        if (arguments.length < 2) {
          throw tooFewArguments("Failed to execute 'f' on 'A'", 2, arguments.length);
        }
        if (arguments.length <= 2) {
          if (typeof a !== 'string') {
            a = `${a}`;
          }
          if (implementing(b, 0, 0) !== undefined) {
            b = implementing(b, 0, 0) ?? notOfType("A", "Failed to execute 'f' on 'A': parameter 2 ('b')");
            if (c !== undefined) {
              c = toInteger(c, 32, true);
            }
            let result;
            try {
              result = seam(1, impl, a, b, c);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
          } else {
            b = toInteger(b, 32, true);
            let result;
            try {
              result = seam(0, impl, a, b);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
          }
        } else {
          if (typeof a !== 'string') {
            a = `${a}`;
          }
          b = implementing(b, 0, 0) ?? notOfType("A", "Failed to execute 'f' on 'A': parameter 2 ('b')");
          if (c !== undefined) {
            c = toInteger(c, 32, true);
          }
          let result;
          try {
            result = seam(1, impl, a, b, c);
          } catch {
            throw stackOverflow();
          }
          if (result === failure) {
            throw takeFailure();
          }
        }
      },
      g(aOrAll = undefined) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'g' on 'A'");
        if (arguments.length <= 0) {
          const values = newValues(impl);
          for (let i = 0; i < arguments.length; i++) {
            let all = arguments[i];
            if (typeof all !== 'string') {
              all = `${all}`;
            }
            values[i + 2] = all;
          }
          values[0] = 3;
          let result;
          try {
            result = apply(seam, undefined, values);
          } catch {
            throw stackOverflow();
          }
          if (result === failure) {
            throw takeFailure();
          }
        } else if (arguments.length <= 1) {
          const values = newValues(impl);
          if (implementing(aOrAll, 0, 0) !== undefined) {
            aOrAll = implementing(aOrAll, 0, 0) ?? notOfType("A", "Failed to execute 'g' on 'A': parameter 1 ('a')");
            values[2] = aOrAll;
            values[0] = 2;
            let result;
            try {
              result = apply(seam, undefined, values);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
          } else {
            for (let i = 0; i < arguments.length; i++) {
              let all = arguments[i];
              if (typeof all !== 'string') {
                all = `${all}`;
              }
              values[i + 2] = all;
            }
            values[0] = 3;
            let result;
            try {
              result = apply(seam, undefined, values);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
          }
        } else {
          const values = newValues(impl);
          for (let i = 0; i < arguments.length; i++) {
            let all = arguments[i];
            if (typeof all !== 'string') {
              all = `${all}`;
            }
            values[i + 2] = all;
          }
          values[0] = 3;
          let result;
          try {
            result = apply(seam, undefined, values);
          } catch {
            throw stackOverflow();
          }
          if (result === failure) {
            throw takeFailure();
          }
        }
      },
    },
  };
})
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null}
