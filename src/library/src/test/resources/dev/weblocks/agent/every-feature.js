// Uses of the language: syntactic constructs, calls of each function that the global object reaches, and
// features that need particular arguments. Each runs alone: use(i), or at the end of the stack: overflow(i, ...).
(function () {
  'use strict';
  const constructs = [
    `let q = '5'; q++; q--; -q; +q; ~q; q += 1; q **= 2; q >>>= 1`, `let b = 5n; b++; -b; b ** 3n; b << 70n; b > 1; b == 5`,
    `\`a\${1}\${{}}\``, `((s, ...v) => s.raw + v)\`x\${1}y\``, `const {a = 1, ...r} = {b: 2}; const [x, , ...y] = [1, 2, 3]`,
    `class A { #p = 1; static #c = 2; static { A.#c++; } get p() { return this.#p; } set p(v) { this.#p = v; } #m() {} has() { return #p in this && this.#m; } static s = A.#c } const o = new A(); o.p = 2; o.has(); class B extends A { constructor() { super(); super.p; } m() { return super.has(); } } new B().m()`,
    `[...(function* () { const g = yield 1; yield* [2]; return g; })()]; const g = (function* () { try { yield 1; } finally { yield 2; } })(); g.next(); g.return(3)`,
    `(async () => { await null; for await (const x of [1]) { await x; } })()`, `(async function* () { yield 1; yield* [2]; })().next()`,
    `for (const k in {a: 1, __proto__: {b: 2}}); for (const k of new Map([[1, 2]]));`, `a: for (let i = 0; i < 2; i++) { switch (i) { case 0: continue a; default: break a; } }`,
    `switch ('a') { case 'b': 1; case 'a': 2; default: 3 }`, `try { null.x } catch ({message}) { message } finally { 1 }`, `try { undefined() } catch (e) { e.stack; String(e) }`,
    `try { missing } catch (e) { e.stack }`, `try { late; let late; } catch (e) { e.message }`, `try { const c = 1; eval('c = 2') } catch (e) { e.message }`,
    `try { null[Symbol.iterator] } catch (e) {}`, `try { const [x] = 1; } catch (e) { e.message }`, `try { new (() => {})() } catch (e) { e.message }`, `try { Symbol() + '' } catch (e) { e.message }`,
    `try { 1n + 1 } catch (e) { e.message }`, `try { 1 in 1 } catch (e) { e.message }`, `try { 1 instanceof 1 } catch (e) { e.message }`, `try { JSON.parse('{"a":[1,}') } catch (e) { e.message }`,
    `try { Function('{') } catch (e) { e.message }`, `try { new RegExp('(') } catch (e) { e.message }`, `try { Object.defineProperty(Object.freeze({}), 'a', {value: 1}) } catch (e) { e.message }`,
    `try { class X extends null { constructor() { super(); } } new X() } catch (e) { e.message }`, `null?.x?.[1]?.(2) ?? 1`, `let s = {}; s.a ??= 1; s.a ||= 2; s.a &&= 3; delete s.a; void 0; typeof s`,
    `Function('o', 'with (o) { return a; }')({a: 1}); (0, eval)('1 + 1'); Function('a', 'arguments[0] = 2; return a')(1)`, `new.target; (function () { return arguments; })(1, 2)[1]`,
    `const p = new Proxy(function () {}, Object.fromEntries(Reflect.ownKeys(Reflect).filter(k => typeof k === 'string').map(k => [k, (...l) => Reflect[k](...l)]))); p.a = 1; p.a; 'a' in p; delete p.a; p(); new p(); Object.keys(p); ({...p}); for (const k in p);`,
    `const o = {get a() { return 1; }, set a(v) {}, ['b']: 2, __proto__: null, async *c() {}, 0: 1}; o.a = o.a; o[0]; Object.entries(o)`, `[3, 1, 2].sort(); ['b', 'a'].sort(); [3, 1].sort((a, b) => a - b); [1.5, , {}]; [1, 2].length = 0`,
    `const u = new Uint8Array([3, 1]); u[0] = 300; u[5]; u.sort(); new Float16Array([1.5])[0]; new BigInt64Array([1n])[0]; new DataView(new ArrayBuffer(8)).getFloat64(0)`,
    `'aBc1'.match(/(?<x>[a-z])(?=B)/iu).groups.x; 'ab'.replace(/(?<=a)b|(a)\\1/g, '$&$1'); /(a+)+$/.test('aaaa!'); 'x-y'.split(/-/); [...'aa'.matchAll(/a/g)]; /a/y.exec('a'); /./su.test('\\u{1f600}'); /\\bé\\w*?(?!x)/dgi.exec('é')`,
    `/[\\p{L}--[a-c]]/v.test('y'); /\\p{Script=Greek}/u.test('α'); /^(?:(a)|b){2,5}?$/m.exec('ab'); /(?i:a)b/.test('Ab'); new RegExp('[' + 'é-ü' + ']', 'iu').test('É')`,
    `new Intl.DateTimeFormat('de', {dateStyle: 'full', timeZone: 'Europe/Berlin'}).formatToParts(new Date(0)); new Intl.DateTimeFormat('ar', {calendar: 'islamic'}).format(0); new Date(0).toLocaleString('ja')`,
    `new Intl.NumberFormat('de', {style: 'currency', currency: 'EUR', notation: 'compact'}).format(1234.5); new Intl.NumberFormat('en', {style: 'unit', unit: 'liter', unitDisplay: 'long'}).formatToParts(1); (1234.5).toLocaleString('hi'); (5n).toLocaleString('fr')`,
    `['b', 'a'].sort(new Intl.Collator('sv', {numeric: true}).compare); 'a'.localeCompare('ä', 'de')`, `[...new Intl.Segmenter('en', {granularity: 'word'}).segment('a b')]; [...new Intl.Segmenter('th', {granularity: 'grapheme'}).segment('กำ')]`,
    `new Intl.ListFormat('en').formatToParts(['a', 'b']); new Intl.RelativeTimeFormat('en', {numeric: 'auto'}).format(1, 'day'); new Intl.PluralRules('pl', {type: 'ordinal'}).select(1); new Intl.DisplayNames('en', {type: 'region'}).of('US'); new Intl.DisplayNames('de', {type: 'language'}).of('en-GB'); new Intl.DisplayNames('de', {type: 'currency'}).of('USD')`,
    `new Intl.Locale('en-US').maximize().toString(); Intl.getCanonicalLocales('EN-us'); Intl.supportedValuesOf('timeZone').length; 'İ'.toLocaleLowerCase('tr'); 'é'.normalize('NFKD')`,
    `if (typeof Temporal === 'object') { const d = Temporal.PlainDate.from('2020-01-31').add({months: 1}); d.until('2021-01-01', {largestUnit: 'month'}); Temporal.ZonedDateTime.from('2020-01-01T00:00[Europe/Berlin]').round('hour').toString(); Temporal.Duration.from('P1DT2H').total('minute'); Temporal.Instant.from('2020-01-01T00:00Z').toString(); Temporal.PlainTime.from('01:02').toString(); Temporal.PlainYearMonth.from('2020-01').toString(); Temporal.PlainMonthDay.from('01-02').toString(); Temporal.Now.plainDateISO(); d.toLocaleString('de') }`,
    `Date.parse('Jan 1, 2020'); new Date('2020-01-01T00:00:00Z').toISOString(); new Date(2020, 1).toString(); new Date(NaN) + ''`, `(255).toString(16); (0.1).toFixed(2); (1e21).toPrecision(3); (0.5).toString(2); Number('0x1f'); parseFloat('1.5x'); (2n ** 70n).toString(36); BigInt.asUintN(8, 300n); BigInt('12')`,
    `JSON.stringify({a: [1, {b: null}], toJSON() { return {c: 1n === 1n, d: 'x\\n'}; }}, null, 2); JSON.parse('[1,{"a":2}]', (k, v) => v)`, `Object.groupBy([1, 2], x => x % 2 ? 'o' : 'e'); new Set([1]).union(new Set([2])); Iterator.from([1, 2]).map(x => x).filter(x => x).toArray()`,
    `const e = new AggregateError([1], 'x', {cause: 2}); Error.captureStackTrace(e); e.stack; class F extends RangeError {} new F('x').stack; DOMException`, `Promise.all([1]).then(() => { throw 1; }).catch(() => {}).finally(() => {}); Promise.any([Promise.reject(1)]).catch(() => {}); Promise.withResolvers().resolve(1); Promise.allSettled([1]); Promise.race([1]); Promise.try(() => 1)`,
    `new WeakRef({}).deref(); new FinalizationRegistry(() => {}).register({}, 1); new WeakMap([[{}, 1]]); new SharedArrayBuffer(8, {maxByteLength: 16}).grow(16); new ArrayBuffer(8, {maxByteLength: 16}).resize(4); Atomics.add(new Int32Array(new SharedArrayBuffer(4)), 0, 1); new ArrayBuffer(8).transfer(4)`,
    `import('./missing.js').catch(() => {}); import('data:text/javascript,1').catch(() => {})`, `'a'.repeat(200).concat('b').slice(3) + 'c'; 'ab'.charCodeAt(1); 'a-b'.replaceAll('-', x => x); 'é'.codePointAt(0); 'ß'.toUpperCase(); encodeURIComponent('é'); decodeURI('%C3%A9'); escape('é'); 'x'.at(-1)`,
    `const f = n => n === 0 ? 0 : 1 + f(n - 1); try { f(1e9) } catch (e) { e.stack; e instanceof RangeError }`, `let o = {}; for (let i = 0; i < 200; i++) o['k' + i] = i; for (let i = 0; i < 200; i++) delete o['k' + i]; Object.freeze(o); Object.seal({a: 1}); Object.preventExtensions([1]); Object.defineProperties([], {a: {get() {}}})`,
  ];
  const skip = new Set(['load', 'loadWithNewGlobal', 'print', 'printErr', 'eval', 'wait', 'waitAsync', 'quit', 'exit', 'readline', 'readbuffer', 'read', 'close', 'Graal', 'Java', 'Polyglot', 'Packages', 'WebAssembly', 'pause', 'alert', 'confirm', 'prompt', 'reportError', 'console']);
  const samples = [[3, 1, 2], Object('text'), Object(7), Object(true), Object(5n), Object(Symbol('s')), new Map([[1, 2]]), new Set([1]), /a(b)?/g, new Date(0), Promise.resolve(1), new Uint8Array(4), new ArrayBuffer(8), new SharedArrayBuffer(8), new DataView(new ArrayBuffer(8)), (function* () { yield 1; })(), [1][Symbol.iterator](), new WeakMap(), new WeakSet(), new WeakRef({}), new Error('e'), () => 1];
  const uses = constructs.map((code) => [code.slice(0, 40), () => Function(code)()]);
  const {apply, construct, ownKeys, getOwnPropertyDescriptor, getPrototypeOf} = Reflect;
  const seen = new Set();
  const quietly = (steps) => { try { return steps(); } catch (e) { return String(e && e.stack); } };
  const visit = (object, path) => {
    if (object === null || (typeof object !== 'object' && typeof object !== 'function') || seen.has(object) || path.length > 120) return;
    seen.add(object);
    const receiver = samples.find((sample) => apply(Object.prototype.isPrototypeOf, object, [sample])) ?? object;
    for (const key of ownKeys(object)) {
      if (skip.has(key)) continue;
      const d = getOwnPropertyDescriptor(object, key), name = path + '.' + String(key);
      for (const f of [d.value, d.get, d.set]) {
        if (typeof f === 'function' && !seen.has(f)) {
          uses.push([name, () => {
            quietly(() => { samples[0].length = 3; }); // push and unshift make it grow
            for (const list of [[], [(a, b) => a - b, 1], ['1', '2'], [{}, {}]]) quietly(() => apply(f, receiver, list));
            quietly(() => construct(f, [2]));
          }]);
        }
        visit(f, name);
      }
    }
    visit(getPrototypeOf(object), path + '.__proto__');
  };
  visit(globalThis, 'globalThis');
  const wraps = [(f) => { f(); }, (f) => [f()], (f) => `${f()}`, (f) => ({a: -f()})];
  return {
    size: uses.length,
    name: (i) => uses[i][0],
    use: (i) => quietly(uses[i][1]),
    // runs it at each of the last frames before the end of the stack, with frames of different size
    overflow: (i, shape, offsets) => {
      let left = offsets;
      const wrap = wraps[shape % wraps.length];
      const deep = () => { try { wrap(deep); } finally { if (left > 0) { left--; try { uses[i][1](); } catch {} } } };
      try { deep(); } catch {}
    },
  };
})()
