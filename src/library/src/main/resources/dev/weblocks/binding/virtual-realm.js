// Evaluated once per realm of a virtual world, after the prelude and before any page script: values
// that the engine would get from the machine come from the host. All built-ins are captured here,
// as in the prelude, since a page may replace them later.
//
// native    native(function, name, length) makes a function look native
// now       the current time, in whole milliseconds since the Unix epoch
// seed      an integer of 32 bits, another one with each call
// keepsAll  whether objects are retained if script could observe their collection
(function (native, now, seed, keepsAll) {
  'use strict';

  const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const ProxyCtor = Proxy;

  // Replaces the value of a property; its attributes stay as they are.
  function replace(object, key, value) {
    const { writable, enumerable, configurable } = getOwnPropertyDescriptor(object, key);
    defineProperty(object, key, { __proto__: null, value, writable, enumerable, configurable });
  }

  // A method has neither prototype nor [[Construct]], like a built-in function.
  function replaceMethod(object, key, method, length) {
    replace(object, key, native(method, key, length));
  }

  // Replaces a constructor by a proxy. All that does not query the machine stays the engine's own,
  // also its prototype, its subclasses and the realm of the objects that it makes.
  function replaceConstructor(name, length, traps) {
    const original = globalThis[name];
    const proxy = new ProxyCtor(original, { __proto__: null, ...traps(original) });
    replace(globalThis, name, native(proxy, name, length));
    replace(original.prototype, 'constructor', proxy);
    return original;
  }

  // https://tc39.es/ecma262/#sec-date-constructor
  const dateToString = Date.prototype.toString;
  const DateCtor = replaceConstructor('Date', 7, (original) => ({
    apply() {
      return apply(dateToString, new original(now()), []);
    },
    construct(_, args, newTarget) {
      return construct(original, args.length === 0 ? [now()] : args, newTarget);
    },
  }));
  replaceMethod(DateCtor, 'now', { now() { return now(); } }.now, 0);

  // https://tc39.es/ecma262/#sec-math.random, by the generator sfc32 of PractRand; seeded at the
  // first call, so that a script without a call changes no other random value
  let a;
  let b;
  let c;
  let counter = 0;
  function next() {
    const sum = ((a + b | 0) + counter) | 0;
    counter = counter + 1 | 0;
    a = b ^ (b >>> 9);
    b = c + (c << 3) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  }
  replaceMethod(Math, 'random', {
    random() {
      if (counter === 0) {
        a = seed();
        b = seed();
        c = seed();
        counter = 1;
        for (let i = 0; i < 12; i++) {
          next();
        }
      }
      // 53 bits
      return ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000;
    },
  }.random, 0);

  // https://tc39.es/ecma402/#sec-intl.datetimeformat.prototype.format: a format without a date uses
  // the current time
  if (typeof Intl === 'object') {
    const formats = Intl.DateTimeFormat.prototype;
    const accessor = getOwnPropertyDescriptor(formats, 'format');
    const engineFormat = accessor.get;
    const oursByEngines = new WeakMap();
    const { get: weakGet, set: weakSet } = WeakMap.prototype;
    const getter = getOwnPropertyDescriptor({
      get format() {
        const engines = apply(engineFormat, this, []);
        let ours = apply(weakGet, oursByEngines, [engines]);
        if (ours === undefined) {
          ours = native((date) => engines(date === undefined ? now() : date), '', 1);
          apply(weakSet, oursByEngines, [engines, ours]);
        }
        return ours;
      },
    }, 'format').get;
    defineProperty(formats, 'format', {
      __proto__: null,
      get: native(getter, 'get format', 0),
      set: undefined,
      enumerable: accessor.enumerable,
      configurable: accessor.configurable,
    });
    const { formatToParts } = formats;
    replaceMethod(formats, 'formatToParts', {
      formatToParts(date) {
        return apply(formatToParts, this, [date === undefined ? now() : date]);
      },
    }.formatToParts, 1);
  }

  // https://tc39.es/proposal-temporal/#sec-temporal-now-object
  if (typeof Temporal === 'object') {
    const { Now, Instant, ZonedDateTime } = Temporal;
    const { timeZoneId } = Now;
    const { toZonedDateTimeISO } = Instant.prototype;
    const { toPlainDateTime, toPlainDate, toPlainTime } = ZonedDateTime.prototype;
    const BigIntCtor = BigInt;
    const instantNow = () => new Instant(BigIntCtor(now()) * 1000000n);
    const zonedNow = (zone) =>
      apply(toZonedDateTimeISO, instantNow(), [zone === undefined ? apply(timeZoneId, Now, []) : zone]);
    const replaceNow = (methods) => {
      const key = ownKeys(methods)[0];
      replaceMethod(Now, key, methods[key], 0);
    };
    replaceNow({ instant() { return instantNow(); } });
    replaceNow({ zonedDateTimeISO(zone) { return zonedNow(zone); } });
    replaceNow({ plainDateTimeISO(zone) { return apply(toPlainDateTime, zonedNow(zone), []); } });
    replaceNow({ plainDateISO(zone) { return apply(toPlainDate, zonedNow(zone), []); } });
    replaceNow({ plainTimeISO(zone) { return apply(toPlainTime, zonedNow(zone), []); } });
  }

  // The timeouts of Atomics.waitAsync() are real time, and end outside the turns of a schedule.
  // Only the agent itself could wake it, as no other agent shares its memory. The engine refuses
  // Atomics.wait().
  deleteProperty(Atomics, 'waitAsync');

  // https://tc39.es/ecma262/#sec-weakref-execution: an implementation may keep all objects alive
  if (keepsAll) {
    const kept = new Set();
    const { add } = Set.prototype;
    replaceConstructor('WeakRef', 1, (original) => ({
      construct(_, args, newTarget) {
        const reference = construct(original, args, newTarget);
        apply(add, kept, [args[0]]);
        return reference;
      },
    }));
    const registries = FinalizationRegistry.prototype;
    const { register } = registries;
    replaceMethod(registries, 'register', {
      register(target, _) {
        const result = apply(register, this, arguments);
        apply(add, kept, [target]);
        return result;
      },
    }.register, 2);
  }
})
