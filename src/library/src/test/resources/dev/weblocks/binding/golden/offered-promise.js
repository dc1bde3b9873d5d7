(function (library, record) {
  'use strict';
  const { enums, failure, implementing, isObject, newCapability, notAFunction, notAReceiver, overloadFailed, rejected, seam, stackOverflow, takeFailure, toDictionary, toEnum, tooFewArguments } = library;
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
      offered(name, callbackOrOptions = undefined, callback = undefined) {
        let returned;
        try {
          const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'offered' on 'A'");
          if (arguments.length < 1) {
            throw tooFewArguments("Failed to execute 'offered' on 'A'", 1, arguments.length);
          }
          if (arguments.length <= 1) {
            if (typeof name !== 'string') {
              name = `${name}`;
            }
            callbackOrOptions = toDictionary(callbackOrOptions, "Options", "Failed to execute 'offered' on 'A': parameter 2 ('options')");
            let mode = callbackOrOptions.mode;
            if (mode === undefined) {
              mode = "exclusive";
            } else {
              mode = toEnum(mode, enums.Mode, "Mode", "Failed to execute 'offered' on 'A': parameter 2 ('options'): Failed to read the 'mode' property from 'Options'");
            }
            let signal = callbackOrOptions.signal;
            let steal = callbackOrOptions.steal;
            if (steal === undefined) {
              steal = false;
            } else {
              steal = !!steal;
            }
            const offered = newCapability();
            let result;
            try {
              result = seam(2, impl, offered, name, mode, signal, steal);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
            returned = result === null ? offered.promise : result;
          } else if (arguments.length <= 2) {
            if (typeof name !== 'string') {
              name = `${name}`;
            }
            const overload = callbackOrOptions === undefined || callbackOrOptions === null ? 1 : typeof callbackOrOptions === 'function' ? 0 : isObject(callbackOrOptions) ? 1 : -1;
            if (overload === 1) {
              callbackOrOptions = toDictionary(callbackOrOptions, "Options", "Failed to execute 'offered' on 'A': parameter 2 ('options')");
              let mode = callbackOrOptions.mode;
              if (mode === undefined) {
                mode = "exclusive";
              } else {
                mode = toEnum(mode, enums.Mode, "Mode", "Failed to execute 'offered' on 'A': parameter 2 ('options'): Failed to read the 'mode' property from 'Options'");
              }
              let signal = callbackOrOptions.signal;
              let steal = callbackOrOptions.steal;
              if (steal === undefined) {
                steal = false;
              } else {
                steal = !!steal;
              }
              const offered = newCapability();
              let result;
              try {
                result = seam(2, impl, offered, name, mode, signal, steal);
              } catch {
                throw stackOverflow();
              }
              if (result === failure) {
                throw takeFailure();
              }
              returned = result === null ? offered.promise : result;
            } else if (overload === 0) {
              if (typeof callbackOrOptions !== 'function') {
                throw notAFunction("Failed to execute 'offered' on 'A': parameter 2 ('callback')");
              }
              const offered = newCapability();
              let result;
              try {
                result = seam(0, impl, offered, name, callbackOrOptions);
              } catch {
                throw stackOverflow();
              }
              if (result === failure) {
                throw takeFailure();
              }
              returned = result === null ? offered.promise : result;
            } else {
              throw overloadFailed("Failed to execute 'offered' on 'A'");
            }
          } else {
            if (typeof name !== 'string') {
              name = `${name}`;
            }
            callbackOrOptions = toDictionary(callbackOrOptions, "Options", "Failed to execute 'offered' on 'A': parameter 2 ('options')");
            let mode = callbackOrOptions.mode;
            if (mode === undefined) {
              mode = "exclusive";
            } else {
              mode = toEnum(mode, enums.Mode, "Mode", "Failed to execute 'offered' on 'A': parameter 2 ('options'): Failed to read the 'mode' property from 'Options'");
            }
            let signal = callbackOrOptions.signal;
            let steal = callbackOrOptions.steal;
            if (steal === undefined) {
              steal = false;
            } else {
              steal = !!steal;
            }
            if (typeof callback !== 'function') {
              throw notAFunction("Failed to execute 'offered' on 'A': parameter 3 ('callback')");
            }
            const offered = newCapability();
            let result;
            try {
              result = seam(1, impl, offered, name, mode, signal, steal, callback);
            } catch {
              throw stackOverflow();
            }
            if (result === failure) {
              throw takeFailure();
            }
            returned = result === null ? offered.promise : result;
          }
        } catch (reason) {
          returned = rejected(reason);
        }
        return returned;
      },
    },
  };
})
// members of Options: [{__proto__:null,"name":"mode","owner":"Options","type":{__proto__:null,"k":"enum","n":"Mode"},"required":false,"default":"exclusive"},{__proto__:null,"name":"signal","owner":"Options","type":{__proto__:null,"k":"simple","n":"any"},"required":false},{__proto__:null,"name":"steal","owner":"Options","type":{__proto__:null,"k":"simple","n":"boolean"},"required":false,"default":false}]
// names of the global: [Exposure[name=A, part=0, kind=INTERFACE]]
// enumerations: {__proto__:null,"Mode":{__proto__:null,"shared":true,"exclusive":true}}
