// What scripts see of the engine: stacks, messages and the order of jobs. The golden files are equal
// on all supported engines.
{
  const say = (name, text) => console.log(name + ': ' + String(text).replaceAll('\n', ' | '));
  const attempt = (steps) => {
    try {
      return steps();
    } catch (e) {
      return e.name + ': ' + e.message;
    }
  };
  const stackOf = (steps) => {
    try {
      return steps();
    } catch (e) {
      return e.stack;
    }
  };
  const one = () => new Error('e');
  const stacks = {
    plain: () => one().stack,
    arrow: () => (() => new Error('arrow').stack)(),
    method: () => ({ m() { return new Error('m').stack; } }).m(),
    'static method': () => (class C { static s() { return new Error('s').stack; } }).s(),
    constructor: () => new (class D { constructor() { this.s = new Error('c').stack; } })().s,
    getter: () => ({ get g() { return new Error('g').stack; } }).g,
    setter: () => { let s; ({ set p(v) { s = new Error('p').stack; } }).p = 1; return s; },
    'field initializer': () => new (class F { s = new Error('f').stack; })().s,
    'built-in callback': () => [1].map(function callback() { return new Error('n').stack; })[0],
    comparator: () => { let s; [2, 1].sort(() => { s = new Error('sort').stack; return 0; }); return s; },
    eval: () => eval('new Error("ev").stack'),
    'indirect eval': () => (0, eval)('(function z() { return new Error("iev").stack })()'),
    Function: () => new Function('return new Error("fn").stack')(),
    generator: () => (function* g() { yield new Error('gen').stack; })().next().value,
    subclass: () => new (class My extends TypeError { get name() { return 'My'; } })('sub').stack,
    'several lines': () => new Error('a\nb').stack,
    cause: () => new Error('a', { cause: new Error('b') }).stack,
    aggregate: () => new AggregateError([1], 'agg').stack,
    'thrown by the engine': () => null.x,
    'thrown by a built-in': () => [].reduce(() => 1),
    'proxy trap': () => new Proxy({}, { get() { return new Error('trap').stack; } }).x,
    DOMException: () => structuredClone(() => 1),
    'own property': () => JSON.stringify(Object.getOwnPropertyDescriptor(new Error('x'), 'stack')),
  };
  for (const [name, steps] of Object.entries(stacks)) say('stack, ' + name, stackOf(steps));

  const constant = 1;
  const messages = [
    () => null.x, () => undefined(), () => ({}).f(), () => new (() => 1)(), () => { constant = 2; },
    () => nope, () => Symbol() + '', () => BigInt(1.5), () => [].reduce(), () => 1n + 1,
    () => JSON.parse('{'), () => new Function('('), () => decodeURI('%'), () => 'x'.repeat(-1),
    () => { 'use strict'; ({ get x() { return 1; } }).x = 2; },
    () => Object.defineProperty(Object.freeze({}), 'a', { value: 1 }), () => new Array(-1),
    () => Reflect.construct(1), () => (class A extends null {}).x.y, () => { let { z } = null; },
    () => { for (const q of 5); },
  ];
  messages.forEach((steps, i) => say('message ' + (i + 1), attempt(steps)));

  say('overflow', attempt(() => (function f() { return f() + 1; })()));
  say('texts', [Function.prototype.toString.call(Math.max), String(class A {}), String(Symbol.iterator)]);

  const order = [];
  const step = (name) => order.push(name);
  const later = async () => {
    step('async begins');
    await null;
    step('await');
    await new Promise((r) => r());
    step('await of a promise');
    await { then(f) { step('thenable'); f(); } };
    step('await of a thenable');
  };
  Promise.resolve().then(() => step('then 1')).then(() => step('then 2')).then(() => step('then 3'));
  later();
  new Promise((r) => r(Promise.resolve())).then(() => step('resolved with a promise'));
  queueMicrotask(() => step('microtask'));
  (async function* () { yield 1; })().next().then(() => step('async generator'));
  Promise.race([1, Promise.resolve(2)]).then(() => step('race'));
  Promise.reject(1).finally(() => step('finally')).catch(() => step('catch'));
  (async () => { try { await Promise.reject(1); } catch { step('caught'); } finally { step('async finally'); } })();
  (async () => { for await (const x of [Promise.resolve(1), 2]) step('for await ' + x); })();
  navigator.locks.request('order', () => step('granted')).then(() => step('released'));
  setTimeout(() => say('order', order.join(', ')));
  step('end');
}
