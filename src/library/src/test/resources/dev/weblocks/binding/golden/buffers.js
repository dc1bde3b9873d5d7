(function (library, record) {
  'use strict';
  const { converter, failure, implementing, notAReceiver, seam, stackOverflow, takeFailure, tooFewArguments } = library;
  let convert0, convert1, convert2, convert3, convert4, convert5;
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
      f(a, b, c, d, e, f) {
        const impl = implementing(this, 0, 0) ?? notAReceiver("A", "Failed to execute 'f' on 'A'");
        if (arguments.length < 6) {
          throw tooFewArguments("Failed to execute 'f' on 'A'", 6, arguments.length);
        }
        a = (convert0 ??= converter({__proto__:null,"k":"buffer","n":"ArrayBuffer","shared":false,"resizable":false}))(a, "Failed to execute 'f' on 'A': parameter 1 ('a')");
        b = (convert1 ??= converter({__proto__:null,"k":"buffer","n":"SharedArrayBuffer","shared":false,"resizable":false}))(b, "Failed to execute 'f' on 'A': parameter 2 ('b')");
        c = (convert2 ??= converter({__proto__:null,"k":"buffer","n":"DataView","shared":false,"resizable":false}))(c, "Failed to execute 'f' on 'A': parameter 3 ('c')");
        d = (convert3 ??= converter({__proto__:null,"k":"buffer","n":"Uint8Array","shared":false,"resizable":false}))(d, "Failed to execute 'f' on 'A': parameter 4 ('d')");
        e = (convert4 ??= converter({__proto__:null,"k":"buffer","n":"Float64Array","shared":true,"resizable":false}))(e, "Failed to execute 'f' on 'A': parameter 5 ('e')");
        f = (convert5 ??= converter({__proto__:null,"k":"buffer","n":"ArrayBuffer","shared":false,"resizable":true}))(f, "Failed to execute 'f' on 'A': parameter 6 ('f')");
        let result;
        try {
          result = seam(0, impl, a, b, c, d, e, f);
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
