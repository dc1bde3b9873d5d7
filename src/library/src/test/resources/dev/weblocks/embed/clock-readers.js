// Calls every function and getter that is reachable from the global object, with harmless arguments, and
// logs a line for each: its path, a tab, and the texts of its outcomes. Objects that a call returns are
// receivers of later calls, so the script finds the methods of classes that it does not know. All
// built-ins are captured first, since the calls may change objects of the realm.
(function () {
  'use strict';
  const { apply, construct, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { isPrototypeOf, hasOwnProperty } = Object.prototype;
  const { log } = console;
  const StringOf = String;
  const { endsWith, replaceAll, slice } = String.prototype;
  const setProto = Object.setPrototypeOf;
  const list = () => setProto([], null);
  const own = (object, key) => apply(hasOwnProperty, object, [key]);
  const { add: setAdd, has: setHas } = Set.prototype;
  const seenObjects = new Set();
  const seenFunctions = new Set();
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // These end or replace the document or the worker, or are called by all others.
  const SKIPPED = {
    __proto__: null, close: 1, stop: 1, reload: 1, assign: 1, replace: 1, back: 1, forward: 1, go: 1, write: 1, writeln: 1,
    open: 1, importScripts: 1, submit: 1, requestSubmit: 1, click: 1, remove: 1, replaceWith: 1, replaceChildren: 1, console: 1,
  };

  // Text that yields the present wherever it is evaluated as a script, also in a new realm.
  const CODE = 'new Date().toISOString() + Math.random()';
  const ARGUMENTS = [
    () => [], () => [1, 1, 1], () => [CODE], () => ['2020-01-01T00:00:00Z'], () => ['UTC'], () => [{}], () => [() => 1],
    () => [new Uint8Array(4)], () => [[[1], [2]]], () => [0n],
    () => [new Blob(['b'])],
  ];
  const SAMPLES = [
    () => ({}), () => [3, 1], () => Object('text'), () => Object(7), () => Object(true), () => Object(5n), () => Object(Symbol('s')),
    () => new Map([[1, 2]]), () => new Set([1]), () => /a/g, () => new Date(0), () => Promise.resolve(1), () => new Uint8Array(4),
    () => new ArrayBuffer(8), () => new SharedArrayBuffer(8), () => new DataView(new ArrayBuffer(8)), () => new WeakRef({}),
    () => new Error('e'), () => () => 1, () => (function* () { yield 1; })(), () => (async function* () { yield 1; })(),
    () => new Intl.DateTimeFormat(), () => new Event('e'), () => new File([], 'f'), () => new Request('/'), () => new Response('r'),
    () => Temporal.Instant.from('2020-01-01T00:00:00Z'), () => Temporal.ZonedDateTime.from('2020-01-01T00:00:00Z[UTC]'),
    () => Temporal.PlainDateTime.from('2020-01-01T12:00'), () => Temporal.PlainDate.from('2020-01-01'),
    () => Temporal.PlainTime.from('12:00'), () => Temporal.PlainYearMonth.from('2020-01'),
    () => Temporal.PlainMonthDay.from('01-02'), () => Temporal.Duration.from('PT1H'),
  ];
  const samples = list();
  const prototypesWithSample = new Set();
  const queue = list();
  const later = list(); // methods without a receiver so far

  function keep(value) {
    const prototype = getPrototypeOf(value);
    if (prototype !== null && !apply(setHas, prototypesWithSample, [prototype])) {
      apply(setAdd, prototypesWithSample, [prototype]);
      samples[samples.length] = value;
      visit(prototype, `${pathOf(value)}.__proto__`);
    }
  }

  function pathOf(value) {
    try {
      return `<${StringOf(value[Symbol.toStringTag] ?? value.constructor.name)}>`;
    } catch {
      return '<object>';
    }
  }

  // Returns a text of a value, of at most a few levels.
  function textOf(value, depth) {
    if (!isObject(value)) {
      return typeof value === 'symbol' ? 'symbol' : `${value}`;
    }
    if (typeof value === 'function') {
      return 'function';
    }
    let text;
    try {
      text = StringOf(value);
    } catch (e) {
      text = '?';
    }
    if (depth > 0) {
      let keys;
      try {
        keys = ownKeys(value);
      } catch {
        return text;
      }
      for (let i = 0; i < keys.length && i < 20; i++) {
        const descriptor = getOwnPropertyDescriptor(value, keys[i]);
        if (keys[i] !== 'stack' && descriptor !== undefined && own(descriptor, 'value')) {
          text += ` ${typeof keys[i] === 'symbol' ? '@' : keys[i]}=${textOf(descriptor.value, depth - 1)}`;
        }
      }
    }
    return text;
  }

  function outcomeOf(steps, path) {
    try {
      const value = steps();
      if (isObject(value)) {
        keep(value);
      }
      if (typeof value === 'function' && !apply(endsWith, path, [')'])) {
        add(value, undefined, '', `${path}()`, false);
      }
      return textOf(value, 3);
    } catch (e) {
      return `throws ${textOf(e, 0)}`;
    }
  }

  function receiverOf(holder) {
    for (let i = 0; i < samples.length; i++) {
      if (apply(isPrototypeOf, holder, [samples[i]])) {
        return samples[i];
      }
    }
    return undefined;
  }

  // Many lines are one message, since each message costs time; a message has at most 100,000 characters.
  const globalName = globalThis.constructor.name;
  let pending = '';
  function report(path, outcomes) {
    const line = `${globalName} ${path}\t${apply(replaceAll, outcomes, ['\n', ' '])}\n`;
    if (pending.length + line.length > 90000) {
      log(pending);
      pending = '';
    }
    pending += line.length > 90000 ? `${apply(slice, line, [0, 89990])}\n` : line;
  }

  function call(entry, isLast) {
    const { fn, holder, path, isGetter } = entry;
    let receiver;
    if (holder !== undefined && holder !== globalThis) {
      receiver = receiverOf(holder);
      if (receiver === undefined) {
        const isPrototype = own(holder, 'constructor') && typeof holder !== 'function';
        if (isPrototype && !isLast) {
          later[later.length] = entry;
          return;
        }
        receiver = isPrototype ? undefined : holder;
      }
    }
    let outcomes = '';
    for (let i = 0; i < (isGetter ? 1 : ARGUMENTS.length); i++) {
      outcomes += `${outcomeOf(() => apply(fn, receiver, ARGUMENTS[i]()), path)}; `;
    }
    report(path, outcomes);
    if (!isGetter && own(fn, 'prototype')) {
      outcomes = '';
      for (let i = 0; i < ARGUMENTS.length; i++) {
        outcomes += `${outcomeOf(() => construct(fn, ARGUMENTS[i]()), path)}; `;
      }
      report(`new ${path}`, outcomes);
    }
  }

  function add(fn, holder, key, path, isGetter) {
    if (!apply(setHas, seenFunctions, [fn]) && SKIPPED[key] === undefined) {
      apply(setAdd, seenFunctions, [fn]);
      queue[queue.length] = { __proto__: null, fn, holder, path, isGetter };
    }
  }

  function visit(object, path) {
    if (!isObject(object) || apply(setHas, seenObjects, [object])) {
      return;
    }
    apply(setAdd, seenObjects, [object]);
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const name = `${path === '' ? '' : `${path}.`}${typeof key === 'symbol' ? `[${key.description}]` : key}`;
      const descriptor = getOwnPropertyDescriptor(object, key);
      if (descriptor === undefined || SKIPPED[key] !== undefined) {
        continue;
      }
      if (descriptor.get !== undefined) {
        add(descriptor.get, object, key, `get ${name}`, true);
      } else if (own(descriptor, 'value')) {
        const { value } = descriptor;
        if (typeof value === 'function') {
          add(value, object, key, name, false);
        }
        if (key !== 'constructor') {
          visit(value, name);
        }
      }
    }
    const prototype = getPrototypeOf(object);
    if (prototype !== null) {
      visit(prototype, `${path}.__proto__`);
    }
  }

  keep(globalThis);
  visit(globalThis, '');
  for (let i = 0; i < SAMPLES.length; i++) {
    try {
      keep(SAMPLES[i]());
    } catch {
      // not a class of this engine or of this kind of global
    }
  }
  function walk() {
    let at = 0;
    for (; at < queue.length; at++) {
      call(queue[at], false);
    }
    for (let i = 0; i < later.length; i++) {
      call(later[i], true);
      for (; at < queue.length; at++) { // what that call returned
        call(queue[at], true);
      }
    }
    log(pending);
    log('end');
  }

  // so that times since the start depend on the seed too
  setTimeout(walk, 1 + Math.random() * 1000);
})();
