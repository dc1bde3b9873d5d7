// Calls everything that the platform installs with what no page should pass, and logs whatever a
// browser would not do: an exception that is not of this realm, or one of the host's.
{
  const { log } = console;
  const instances = [
    () => new Event('x'), () => new EventTarget(), () => new AbortController(), () => new AbortController().signal,
    () => new DOMException('m', 'n'), () => performance, () => navigator, () => navigator.locks, () => location,
    () => navigator.serviceWorker, () => registration, () => serviceWorker, () => clients,
    () => new ExtendableEvent('x'), () => new InstallEvent('x'), () => new ExtendableMessageEvent('x'),
    () => new FetchEvent('x', { request: new Request('/x') }),
    () => new ErrorEvent('x'), () => new MessageEvent('x'), () => globalThis, () => document, () => document.documentElement,
    () => document.getElementsByTagName('script'), () => document.createElement('p'), () => document.createElement('script'), () => document.createElement('p').classList,
    () => document.createElement('p').childNodes, () => new DocumentFragment(), () => new Text('x'), () => new Comment('x'), () => new PromiseRejectionEvent('x', { promise: Promise.resolve() }),
    () => new CustomEvent('x'), () => new URL('https://one.test/a?b#c'), () => new URLSearchParams('a=b'),
    () => new TextEncoder(), () => new TextDecoder(), () => new Blob(['x']), () => new File(['x'], 'f'),
    () => new Response('x'), () => new Headers({ a: 'b' }), () => crypto, () => console,
    () => new FormData(), () => new FileReader(), () => new ProgressEvent('x'),
    () => new XMLHttpRequest(), () => { const xhr = new XMLHttpRequest(); xhr.open('POST', '/x'); return xhr; },
    () => new XMLHttpRequest().upload,
    () => new MessageChannel(), () => new MessageChannel().port1, () => new BroadcastChannel('x'),
  ];
  const boom = new Error('thrown by the page');
  const throwing = { toString() { throw boom; }, valueOf() { throw boom; }, get [Symbol.iterator]() { throw boom; } };
  const getters = new Proxy({}, { get() { throw boom; }, has() { throw boom; }, ownKeys() { throw boom; }, getOwnPropertyDescriptor() { throw boom; }, getPrototypeOf() { throw boom; } });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const revokedFunction = Proxy.revocable(function () {}, {});
  revokedFunction.revoke();
  const detached = new ArrayBuffer(8);
  const detachedView = new Uint8Array(detached);
  detached.transfer();
  const outOfBounds = (() => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
    const view = new Uint8Array(buffer, 4);
    buffer.resize(0);
    return view;
  })();
  const deep = (() => { let at = []; for (let i = 0; i < 10_000; i++) at = { at }; return at; })();
  const endless = { [Symbol.iterator]() { return { next() { throw boom; } }; } };
  const values = {
    __proto__: null, nothing: undefined, null: null, symbol: Symbol('s'), bigint: 2n ** 70n, nan: NaN, infinity: -Infinity,
    huge: 1e300, throwing, getters, revoked: revoked.proxy, revokedFunction: revokedFunction.proxy, detached,
    detachedView, outOfBounds, deep, endless, lone: '\ud800', nul: 'a\0b', long: 'x'.repeat(70_000),
    nullProto: Object.create(null), fn() { throw boom; }, self: globalThis, document: globalThis.document, array: [, [undefined]], date: new Date(NaN),
    notAThenable: { get then() { throw boom; } }, frozen: Object.freeze({ a: 1 }), regexp: /x/, promise: Promise.reject(boom), generator: (function* () { throw boom; })(),
  };
  values.promise.catch(() => {});
  // what ends the realm, or loads script of a made-up name, is not for this test
  const skipped = new Set(['close', 'importScripts', 'Worker', 'constructor', 'stop', 'print', 'open', 'terminate', 'setInterval']);
  let calls = 0;
  let turn = 0;
  const isFair = (e) =>
    e === boom || e instanceof DOMException || (e instanceof Error && Object.getPrototypeOf(e).constructor === globalThis[e.name]);
  const judge = (what, e) => {
    if (!isFair(e) || /Internal error|dev\.weblocks|java\.|graal|truffle/i.test(String(e && e.message))) {
      log(`unfair: ${what}: ${typeof e === 'object' && e !== null ? `${e.name}: ${e.message}` : String(e)}`);
    }
  };
  const attempt = (what, f) => {
    calls++;
    try {
      const result = f();
      if (result instanceof Promise) {
        result.then(() => {}, (e) => judge(what, e));
      }
    } catch (e) {
      judge(what, e);
    }
  };
  const functions = (object) => {
    const found = [];
    for (let at = object; at !== null && at !== Object.prototype && at !== Error.prototype; at = Object.getPrototypeOf(at)) {
      for (const key of Reflect.ownKeys(at)) {
        const d = Object.getOwnPropertyDescriptor(at, key);
        if (skipped.has(key) || found.some(([k]) => k === key)) continue;
        found.push([key, d]);
      }
    }
    return found;
  };
  const language = new Set(LANGUAGE_GLOBALS);
  const isOurs = (key) => typeof key === 'symbol' || !language.has(key);
  for (const make of instances) {
    let instance;
    try {
      instance = make();
    } catch (e) {
      if (!(e instanceof ReferenceError)) log(`unfair: no instance: ${make}: ${e}`);
      continue;
    }
    const name = Object.prototype.toString.call(instance);
    for (const [key, d] of functions(instance)) {
      if (instance === globalThis && !isOurs(key)) continue;
      const label = `${name}.${String(key)}`;
      for (const kind in values) {
        if (turn++ % SHARE !== 0) continue; // each member gets other values in a run that tries only some
        const value = values[kind];
        if (typeof d.value === 'function') {
          const isClass = 'prototype' in d.value;
          for (const args of [[value], [value, value], ['a', value], ['a', 'b', value], [value, value, value, value]]) {
            const what = `${label}(${args.map((a) => (a === value ? kind : a)).join()})`;
            if (isClass) {
              attempt(`new ${what}`, () => Reflect.construct(d.value, args));
            } else {
              attempt(what, () => Reflect.apply(d.value, instance, args));
            }
          }
          if (!isClass) {
            attempt(`${label}.call(${kind})`, () => Reflect.apply(d.value, value, ['a', 'b']));
          }
        }
        if (d.get) attempt(`get ${label} of ${kind}`, () => Reflect.apply(d.get, value, []));
        if (d.set && !/^on/.test(String(key))) {
          attempt(`set ${label} = ${kind}`, () => Reflect.apply(d.set, make(), [value]));
          attempt(`set ${label} of ${kind}`, () => Reflect.apply(d.set, value, ['a']));
        }
      }
    }
  }
  queueMicrotask(() => log(`${calls > 20_000 / SHARE ? 'many' : calls} calls`));
}
