// Uses each language construct and calls each built-in function of the engine once, with harmless
// arguments, in a context that is thrown away. EngineWarmUp documents the reason.
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

  // The objects and exceptions of the language itself, which no built-in function makes.
  const sloppy = Function;
  const samplesOfSyntax = [
    (function () { return arguments; })(1, 2),
    sloppy('a', 'arguments[0] = 2; a = 3; return arguments')(1, 2),
    sloppy('with ({a: 1}) { return eval("var b = a; b") }')(),
    sloppy('a', 'delete a; return typeof missing')(1),
  ];
  class Base {
    #field = 1;
    static #count = 0;
    static { Base.#count++; }
    get field() { return this.#field; }
    set field(value) { this.#field = value; }
    #method() { return #field in this; }
    method() { return [this.#method(), new.target]; }
    accessor = 1;
  }
  class Derived extends Base {
    constructor(...args) { super(...args); super.field = 2; }
    get [Symbol.toStringTag]() { return super.toString; }
    *generate() { const got = yield 1; yield* [got]; }
    async later() { await null; for await (const x of [1]) return x; }
    async *both() { yield 1; }
  }
  const derived = new Derived();
  const generator = derived.generate();
  const tag = (strings, ...values) => strings.raw[0] + values;
  const {a = 1, ...others} = {b: 2, __proto__: null};
  const [first, , ...last] = new Map([[1, 2], [3, 4], [5, 6]]);
  samplesOfSyntax.push(
    derived, generator.next(), generator.next(1), generator.return(1), derived.later(), derived.both().next(), derived.method(),
    tag`x${1}y`, others, a, first, last, {...'ab', get x() { return 1; }, ['y']: 2}, /(?<name>a)|b/dgu.exec('ab'),
    2n ** 64n, -(2n ** 64n), 1.5 % 1, '' + 2 ** 53, 'ab'.concat('c'.repeat(40)) + 'd', `${1}${{}}`, [1, , 3], [1.5, {}, 'x'],
    derived?.a?.b, null ?? 1, void 0, typeof derived, 'field' in derived, derived instanceof Base, delete derived.accessor);
  for (const key in Object.create({x: 1})) samplesOfSyntax.push(key);
  let shared = {};
  shared.a ??= 1; shared.a ||= 2; shared.a &&= 3; shared.a **= 2; shared.a >>>= 1;
  label: for (const x of [1, 2]) { switch (x) { case 1: continue label; default: break label; } }
  for (const text of ['12', '4294967296', '12345678901234567890', '0x1f', '0b1', '1e3', '.5', ' 7 ', 'x', '']) {
    samplesOfSyntax.push(+text, [1, 2][text], Object.defineProperty([1], 'length', {value: text === '12' ? text : 1}), Object.defineProperty([], text, {value: 1}));
  }
  const wrong = [
    () => null.x, () => undefined(), () => missing, () => { shared = missing; }, () => { 'use strict'; Object.freeze([]).push(1); },
    () => { const x = 1; x = 2; }, () => { late; let late; }, () => new (() => {})(), () => Symbol() + '', () => 1n + 1, () => new Base.prototype.method(),
    () => { throw new Derived(); }, () => { throw 'text'; }, () => JSON.parse('{'), () => sloppy('{'), () => new Array(-1), () => decodeURI('%'),
    () => [...1], () => { const {x} = null; }, () => class extends null { constructor() { super(); } }, () => Base(), () => Reflect.construct(Base, [], 1),
    () => 1 in 1, () => 1 instanceof 1, () => new Proxy({}, null), () => { with_(); }, () => 'x'.repeat(-1), () => (1).toFixed(101), () => /(?:a+)+$/.test('aaaa!'),
  ];
  for (const f of wrong) quietly(f);
  // each trap of a proxy, by every syntax that reaches it, and as a prototype of the global object
  const traps = {};
  for (const trap of Reflect.ownKeys(Reflect)) {
    if (typeof Reflect[trap] === 'function') traps[trap] = (...list) => Reflect[trap](...list);
  }
  const all = new Proxy(function () {}, traps);
  const chain = Object.getPrototypeOf(globalThis);
  for (const f of [
    () => all.a, () => { all.a = 1; }, () => 'a' in all, () => delete all.a, () => all(1), () => new all(1), () => Object.keys(all),
    () => ({...all}), () => Object.getOwnPropertyDescriptor(all, 'a'), () => Object.defineProperty(all, 'a', {value: 1, configurable: true}),
    () => Object.getPrototypeOf(all), () => Object.setPrototypeOf(all, Object.getPrototypeOf(all)), () => Object.isExtensible(all),
    () => { for (const key in all) samplesOfSyntax.push(key); }, () => all instanceof all, () => Object.create(all).b, () => 'b' in Object.create(all),
    () => { Object.create(all).b = 1; }, () => Object.preventExtensions(new Proxy({}, traps)), () => all[0], () => 0 in all,
    () => {
      Object.setPrototypeOf(globalThis, new Proxy(chain, {has: traps.has, get: traps.get}));
      try {
        quietly(() => missing); quietly(() => typeof missing); quietly(() => { 'use strict'; missing = 1; });
        quietly(() => globalThis.missing); quietly(() => 'missing' in globalThis); quietly(() => sloppy('typeof missing'));
      } finally {
        Object.setPrototypeOf(globalThis, chain);
      }
    },
  ]) quietly(f);
  const handled = () => {};
  for (const specifier of ['json', 'syntax error', 'exception', 'await', 'module']) {
    import(specifier, specifier === 'json' ? {with: {type: 'json'}} : undefined).then(handled, handled);
  }
  // the stack overflow itself
  const endless = (n) => { try { return endless(n + 1); } finally { n++; } };
  quietly(() => endless(0));
  return samples.concat(samplesOfSyntax);
})
