// Calls the built-in functions of the engine once, with harmless arguments, in a context that is
// thrown away. Why: see EngineWarmUp.
(function () {
  'use strict';
  const skip = new Set(['load', 'loadWithNewGlobal', 'print', 'printErr', 'eval', 'wait', 'waitAsync', 'console']);
  const { apply, construct, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const isPrototypeOf = Object.prototype.isPrototypeOf;
  const samples = [[3, 1, 2], Object('text'), Object(7), Object(true), Object(5n), Object(Symbol('s')), new Map([[1, 2]]), new Set([1]), /a(b)?/g, new Date(0), Promise.resolve(1), new Uint8Array(4), new ArrayBuffer(8), new SharedArrayBuffer(8), new DataView(new ArrayBuffer(8)), (function* () { yield 1; })(), [1][Symbol.iterator](), new WeakMap(), new WeakSet(), new WeakRef({}), new Error('e'), () => 1, new Proxy({}, {}), new FinalizationRegistry(() => {}), {a: 1}];
  const seen = new Set([globalThis.console]);
  const quietly = (steps) => { try { return steps(); } catch (e) { return e.stack; } };
  const visit = (object) => {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function') || seen.has(object)) return;
    seen.add(object);
    const receivers = samples.filter((sample) => apply(isPrototypeOf, object, [sample]));
    const receiver = receivers.length === 0 ? object : receivers[0];
    for (const key of ownKeys(object)) {
      if (skip.has(key)) continue;
      const d = getOwnPropertyDescriptor(object, key);
      for (const f of [d.value, d.get, d.set]) {
        if (typeof f === 'function' && !seen.has(f)) {
          quietly(() => apply(f, receiver, []));
          quietly(() => apply(f, receiver, [(a, b) => a - b, 1]));
          quietly(() => apply(f, receiver, ['1', '2']));
          quietly(() => construct(f, [2]));
          quietly(() => construct(f, [{}, {}]));
        }
        visit(f);
      }
    }
    visit(getPrototypeOf(object));
  };
  visit(globalThis);
  return samples;
})
