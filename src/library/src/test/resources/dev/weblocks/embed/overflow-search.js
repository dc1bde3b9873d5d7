// Calls all members that are reachable from the global in the last frames of the stack, then as
// usual. Looks at each value that a member returns, throws or passes to a callback. Returns an
// object with three functions: run() searches, and runs again for the objects that callbacks and
// promises have delivered; finish() searches the rest; report() returns the result as JSON.
//
// engine   the names of the globals that the engine has without an installation
// stride   each member whose number has the remainder `phase` is called where the stack ends
// offsets  the number of the last frames in which members are called
// shapes   the number of frames of different sizes that the stack begins with
// fine     the number of members that are called with many more sizes of the first frames
// millis   the time for further rounds, with other arguments and frames
(function (options) {
  'use strict';

  const { engine, stride, phase, offsets, shapes, fine, millis } = options;
  const { apply, construct, ownKeys, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
  const { then } = Promise.prototype;
  const weakSetAdd = WeakSet.prototype.add;
  const clock = Date.now;
  const contextOwned = new WeakSet();
  const bad = [];
  const found = { members: 0, swept: 0, calls: 0, values: 0, objects: 0, overflows: 0, omitted: 0 };

  // They end or replace the document or the agent, wait for a user, or repeat without end.
  const ENDS = /(^|\.)(close|stop|open|write|writeln|print|alert|confirm|prompt|setInterval)$|location|history|navigation|\.submit|\.click/i;

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  function fail(text) {
    if (bad.length < 20) {
      bad.push(text);
    }
  }

  // Checks one value; `by` describes its origin.
  function judge(value, by) {
    found.values++;
    if (!isObject(value)) {
      return;
    }
    found.objects++;
    try {
      apply(weakSetAdd, contextOwned, [value]);
    } catch {
      fail(`${by} gave a value that is not of the context: ${typeof value}`);
      return;
    }
    for (const name of ['Java', 'getClass', 'class']) {
      let has = false;
      try {
        has = name in value;
      } catch {
        // an object of another origin
      }
      if (has) {
        fail(`${by} gave a value with the member ${name}`);
      }
    }
    let message;
    try {
      message = value instanceof Error ? value.message : '';
    } catch {
      // an object of another origin
    }
    if (typeof message === 'string' && message.startsWith('Internal error')) {
      fail(`${by} failed: ${message}`);
    }
  }

  // What callbacks receive: judged later, since the stack may end there.
  const passed = new Array(20000).fill(undefined);
  let passedCount = 0;
  function callback(first, second, third) {
    if (passedCount < 19990) {
      passed[passedCount++] = this;
      passed[passedCount++] = first;
      passed[passedCount++] = second;
      passed[passedCount++] = third;
    }
    return first;
  }

  function judgePassed() {
    const count = passedCount;
    for (let i = 0; i < count; i++) {
      const value = passed[i];
      passed[i] = undefined;
      judge(value, 'a call of a callback');
      learn(value);
    }
    passedCount = 0;
  }

  // The objects by their prototypes, as receivers.
  const instances = new Map();
  const seen = new Set();
  const members = [];
  const waiting = [];
  let learning = true;

  function skipEngine(value) {
    if (!isObject(value) || seen.has(value)) {
      return;
    }
    seen.add(value);
    for (const key of ownKeys(value)) {
      const descriptor = getOwnPropertyDescriptor(value, key);
      skipEngine(descriptor.value);
      skipEngine(descriptor.get);
      skipEngine(descriptor.set);
    }
    skipEngine(getPrototypeOf(value));
  }

  // Adds a member; its receiver is the holder, or an instance if the holder is a prototype.
  function add(path, kind, fn, holder) {
    found.members++;
    waiting.push({ path, kind, fn, holder, number: found.members });
  }

  function visit(object, path, skipped) {
    if (!isObject(object) || seen.has(object)) {
      return;
    }
    seen.add(object);
    let keys;
    try {
      keys = ownKeys(object);
    } catch {
      return; // an object of another origin
    }
    for (const key of keys.slice(0, 400)) {
      const name = `${path}.${String(key)}`;
      if (skipped?.has(key)) {
        continue;
      }
      let descriptor;
      try {
        descriptor = getOwnPropertyDescriptor(object, key);
      } catch {
        continue;
      }
      if (descriptor === undefined) {
        continue;
      }
      for (const [kind, fn] of [['get', descriptor.get], ['set', descriptor.set], ['call', descriptor.value]]) {
        if (typeof fn !== 'function' || fn === callback || seen.has(fn)) {
          continue;
        }
        if (ENDS.test(name)) {
          found.omitted++;
          seen.add(fn);
          continue;
        }
        add(name, kind, fn, object);
        if (kind === 'call' && isObject(getOwnPropertyDescriptor(fn, 'prototype')?.value)) {
          add(name, 'new', fn, object);
        }
        visit(fn, name);
      }
      if (isObject(descriptor.value) && !ENDS.test(name)) {
        learn(descriptor.value, name);
      }
    }
    let proto;
    try {
      proto = getPrototypeOf(object);
    } catch {
      return;
    }
    visit(proto, `${path}.[[Prototype]]`);
  }

  // Adds an object as a receiver for the members of its prototypes, and its own members.
  function learn(object, path = 'value') {
    if (!learning || !isObject(object) || seen.size > 20000) {
      return;
    }
    try {
      for (let at = getPrototypeOf(object); at !== null; at = getPrototypeOf(at)) {
        if (instances.has(at)) {
          break;
        }
        instances.set(at, object);
      }
      // most objects of an interface have no members of their own
      const constructor = object.constructor?.name ?? '';
      const known = `${constructor} ${ownKeys(object).length}`;
      if (constructor === '' || !shapesSeen.has(known)) {
        shapesSeen.add(known);
        visit(object, `${path}:${constructor}`);
      }
    } catch {
      // an object of another origin
    }
  }
  const shapesSeen = new Set();

  const instanceOf = (name) => instances.get(globalThis[name]?.prototype) ?? {};

  // Each returns arguments for a call.
  const KINDS = [
    () => ['a', callback, {}],
    () => [],
    () => [callback, callback],
    () => [{}, 'a', 'b'],
    () => [[['a', 'b']]],
    () => [instanceOf('Event'), {}],
    () => [instanceOf('Blob'), 'a'],
    () => [new Uint8Array(4), {}],
    () => [1, 2, 3],
    () => ['https://other.test/', { ifAvailable: true, once: true }, callback],
  ];

  function receiverOf(member) {
    const { holder } = member;
    const own = getOwnPropertyDescriptor(holder, 'constructor')?.value;
    const isPrototype = typeof own === 'function' && own.prototype === holder;
    return isPrototype || instances.has(holder) ? instances.get(holder) : holder;
  }

  // Returns a function without arguments that calls a member.
  function thunk(member, args) {
    const { kind, fn } = member;
    const receiver = receiverOf(member) ?? member.holder;
    return kind === 'new' ? () => construct(fn, args)
      : kind === 'set' ? () => apply(fn, receiver, [args[0]])
        : () => apply(fn, receiver, args);
  }

  const values = new Array(60000).fill(undefined);
  const origins = new Array(60000).fill(0);
  let count = 0;

  const FRAMES = [
    (d) => d(),
    (d) => [d()],
    (d) => -d(),
    (d) => `${d()}`,
    (d) => ({ a: d() }),
    (d) => d() + 1 + 1,
    (d) => (d() ? 1 : 0) + 1,
    (d) => (d(), 1),
  ];

  const framesOf = (i) => {
    const outer = FRAMES[i % FRAMES.length];
    const inner = FRAMES[Math.floor(i / FRAMES.length) % FRAMES.length];
    return (d) => outer(() => inner(d));
  };

  // Calls the functions in each of the last frames of the stack, and keeps all that comes out.
  function sweep(thunks, frame, levels) {
    let level = 0;
    function deep() {
      try {
        deep();
      } catch (e) {
        values[count] = e;
        origins[count++] = -1;
      }
      if (level < levels) {
        level++;
        // each of the last frames, then each eighth
        if (level < 48 || level % 8 === 0) {
          for (let i = 0; i < thunks.length; i++) {
            origins[count] = i;
            try {
              values[count] = thunks[i]();
            } catch (e) {
              values[count] = e;
            }
            count++;
          }
        }
      }
    }
    try {
      frame(deep);
    } catch (e) {
      values[count] = e;
      origins[count++] = -1;
    }
  }

  // Without `args`, each member gets those that `use` has recorded.
  function sweepAll(batch, args, frame, levels = offsets) {
    const width = 100;
    for (let from = 0; from < batch.length; from += width) {
      const part = batch.slice(from, from + width);
      count = 0;
      sweep(part.map((member) => thunk(member, args ?? (member.fails ?? member.makes)())), frame, levels);
      for (let i = 0; i < count; i++) {
        const value = values[i];
        values[i] = undefined;
        const origin = part[origins[i]];
        const by = origin === undefined ? 'the end of the stack' : `${origin.kind} ${origin.path}`;
        found.calls++;
        if (value instanceof RangeError) {
          found.overflows++;
        }
        judge(value, by);
        follow(value, by);
      }
      judgePassed();
    }
  }

  // Judges the outcome of a promise.
  function follow(value, by) {
    if (value instanceof Promise) {
      const outcome = (settled) => {
        judge(settled, `a promise of ${by}`);
        learn(settled);
      };
      try {
        apply(then, value, [outcome, outcome]);
      } catch {
        // not a promise of this realm
      }
    }
  }

  // Returns up to `size` members with a property.
  function some(test, size) {
    const all = members.filter(test);
    return all.filter((_, i) => i % Math.ceil(all.length / size) === 0);
  }

  // Calls a member as usual. Records arguments for which Java throws or makes an object.
  function use(member, kinds) {
    for (const kind of kinds) {
      const by = `${member.kind} ${member.path}, as usual,`;
      let value;
      try {
        value = thunk(member, kind())();
        if (isObject(value) && !(value instanceof Promise)) {
          member.makes ??= kind;
        }
      } catch (e) {
        value = e;
        if (e instanceof DOMException) {
          member.fails ??= kind;
        }
      }
      found.calls++;
      judge(value, by);
      follow(value, by);
      learn(value, member.path);
    }
    judgePassed();
  }

  function round(batch) {
    const chosen = batch.filter((member) => member.number % stride === phase % stride);
    found.swept += chosen.length;
    for (let shape = 0; shape < shapes; shape++) {
      sweepAll(chosen, KINDS[shape % KINDS.length](), FRAMES[shape % FRAMES.length]);
    }
    for (const member of batch) {
      use(member, KINDS);
      members.push(member);
    }
  }

  // The engine's own members are not searched. Those that the realm replaces are.
  const replaced = [Object.setPrototypeOf, Reflect.setPrototypeOf, Function.prototype.toString];
  const names = new Set(engine);
  for (const name of engine) {
    const descriptor = getOwnPropertyDescriptor(globalThis, name);
    if (name !== 'globalThis' && descriptor !== undefined) {
      skipEngine(descriptor.value);
    }
  }
  for (const fn of replaced) {
    seen.add(fn);
    add(fn.name, 'call', fn, Object);
  }
  for (const prototype of [Object.prototype, Function.prototype, Array.prototype, Error.prototype, Promise.prototype]) {
    instances.set(prototype, prototype);
  }

  let begun = false;
  return {
    run() {
      if (!begun) {
        begun = true;
        // the first read of a name makes its value
        const reads = ownKeys(globalThis).filter((key) => !names.has(key) && !ENDS.test(`.${String(key)}`));
        const batch = reads.map((key, i) => ({
          path: String(key), kind: 'read', fn: () => globalThis[key], holder: globalThis, number: i,
        }));
        round(batch);
        found.members += batch.length;
        visit(globalThis, 'globalThis', names);
      }
      judgePassed();
      // members of prototypes wait until there is an object
      let progress = true;
      while (progress) {
        const ready = [];
        const left = [];
        for (const member of waiting.splice(0)) {
          (receiverOf(member) === undefined ? left : ready).push(member);
        }
        waiting.push(...left);
        progress = ready.length > 0;
        round(ready);
      }
    },

    // Searches the members without an object too, then goes on for the rest of the time.
    finish() {
      round(waiting.splice(0));
      learning = false;
      // Often only a few bytes of stack lead to a failure that is followed by an overflow.
      const few = [...some((member) => member.fails, fine), ...some((member) => member.makes, fine)];
      for (let i = 0; i < FRAMES.length; i++) {
        sweepAll(few, undefined, framesOf(i), 40);
      }
      const end = clock() + millis;
      for (let i = shapes; clock() < end; i++) {
        const kind = KINDS[(i * 7) % KINDS.length];
        const from = (i * 100) % members.length;
        sweepAll(members.slice(from, from + 100), kind(), framesOf(i));
      }
      for (const member of members) {
        use(member, KINDS.slice(0, 1));
      }
    },

    report() {
      judgePassed();
      if (found.overflows === 0 || found.swept === 0) {
        fail('no member was called where the stack ends');
      }
      return JSON.stringify({ ...found, bad });
    },
  };
})
