// Passes one value of each kind of object that ObjectKind.java has to distinguish to `recognize`, with its
// name and kind, and returns the result. Evaluated in a realm without page script. Without functions
// and checks of its own, as it is interpreted once, at the start.
(function (recognize) {
  'use strict';

  const table = [
    'an ordinary object', 'ORDINARY', { a: 1 },
    'an object without prototype', 'ORDINARY', { __proto__: null },
    'Object.prototype', 'NAMED_OBJECT', Object.prototype,
    'the groups of a match', 'NAMED_OBJECT', 'a'.match(/(?<x>a)/).groups,
    'a Boolean object', 'BOOLEAN', Object(true),
    'a Number object', 'NUMBER', Object(2),
    'a String object', 'STRING', Object('s'),
    'a BigInt object', 'NAMED_OBJECT', Object(3n),
    'a Date', 'DATE', new Date(4),
    'a Date before the year 0', 'DATE', new Date(-1e14),
    'a Date after the year 9999', 'DATE', new Date(1e15),
    'an invalid Date', 'DATE', new Date(NaN),
    'a RegExp', 'REG_EXP', /x/,
    'an ArrayBuffer', 'BUFFER', new ArrayBuffer(2),
    'a Map', 'MAP', new Map([[1, 2]]),
    'a Set', 'SET', new Set([1]),
    'a Promise', 'OTHER', Promise.resolve(),
    'a WeakMap', 'OTHER', new WeakMap(),
    'a WeakRef', 'OTHER', new WeakRef({}),
    'a Symbol object', 'OTHER', Object(Symbol.iterator),
    'a Proxy', 'OTHER', new Proxy({}, {}),
    'a generator', 'OTHER', (function* () {})(),
    'an arguments object', 'OTHER', arguments,
    'an iterator of an Array', 'OTHER', [].values(),
    'an iterator of a Map', 'OTHER', new Map().keys(),
  ];
  if (typeof SharedArrayBuffer === 'function') {
    table.push('a SharedArrayBuffer', 'SHARED_BUFFER', new SharedArrayBuffer(1));
  }
  if (typeof ArrayBuffer.prototype.transferToImmutable === 'function') {
    table.push('an immutable ArrayBuffer', 'BUFFER', new ArrayBuffer(2).transferToImmutable());
  }
  if (typeof DisposableStack === 'function') {
    table.push('a DisposableStack', 'OTHER', new DisposableStack());
    table.push('an AsyncDisposableStack', 'OTHER', new AsyncDisposableStack());
  }
  if (typeof Temporal === 'object') {
    table.push(
      'a Temporal.Instant', 'OTHER', new Temporal.Instant(0n),
      'a Temporal.ZonedDateTime', 'OTHER', new Temporal.ZonedDateTime(0n, 'UTC'),
      'a Temporal.PlainDateTime', 'OTHER', new Temporal.PlainDateTime(2020, 1, 1),
      'a Temporal.PlainDate', 'OTHER', new Temporal.PlainDate(2020, 1, 1),
      'a Temporal.PlainTime', 'OTHER', new Temporal.PlainTime(),
      'a Temporal.PlainYearMonth', 'OTHER', new Temporal.PlainYearMonth(2020, 1),
      'a Temporal.PlainMonthDay', 'OTHER', new Temporal.PlainMonthDay(1, 1),
      'a Temporal.Duration', 'OTHER', new Temporal.Duration());
  }
  for (let i = 2; i < table.length; i += 3) {
    table[i] = { __proto__: null, value: table[i], shown: { __proto__: null, a: { __proto__: null, a: { __proto__: null, a: table[i] } } } };
  }
  return recognize(...table);
});
