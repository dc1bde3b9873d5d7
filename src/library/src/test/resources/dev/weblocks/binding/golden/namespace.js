(function (library, record) {
  'use strict';
  const { callGetter, failure, seam, stackOverflow, takeFailure, tooFewArguments } = library;
  return {
    __proto__: null,
    name: "N",
    consts: [["C",1]],
    factories: null,
    statics: null,
    unforgeables: null,
    members: {
      __proto__: null,
      get a() {
        return callGetter(0, null);
      },
      f(x) {
        if (arguments.length < 1) {
          throw tooFewArguments("Failed to execute 'f' on 'N'", 1, arguments.length);
        }
        let result;
        try {
          result = seam(1, null, x);
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
// names of the global: [Exposure[name=N, part=0, kind=NAMESPACE]]
// enumerations: {__proto__:null}
