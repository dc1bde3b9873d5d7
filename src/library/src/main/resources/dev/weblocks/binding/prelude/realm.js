// Other changes that make the realm like that of a browser.

import {
  apply, charCodeAt, define, defineProperty, ErrorCtor, fromCharCode, functionToString, getOwnPropertyDescriptor,
  getPrototypeOf, global, indexOf, isImmutablePrototype, isObject, markImmutablePrototype, markNative, native,
  nativeName, newList, setProto, slice, TypeErrorCtor,
} from './capture.js';

// Restores in the text of a function what a module loader has replaced: `data:`, to hide from the
// engine that the argument of an import() is a data URL, and the `with` of a call, together with the
// first letter of its specifier.
function asWritten(text) {
  return withAttributes(withData(text));
}

function withData(text) {
  let rest = text;
  let written = '';
  let at;
  while ((at = apply(indexOf, rest, ['\ue064ata:'])) >= 0) {
    written += apply(slice, rest, [0, at]) + 'd';
    rest = apply(slice, rest, [at + 1]);
  }
  return written + rest;
}

function isOfTypedCall(code) {
  return (code >= 0xe100 && code < 0xe180) || (code >= 0xe200 && code < 0xe280);
}

function withAttributes(text) {
  let rest = text;
  let written = '';
  let at;
  while ((at = apply(indexOf, rest, ['wit\ua727'])) >= 0) {
    let mark = at;
    let code = 0;
    while (mark > 0 && !isOfTypedCall(code)) {
      mark--;
      code = apply(charCodeAt, rest, [mark]);
    }
    written += isOfTypedCall(code)
      ? apply(slice, rest, [0, mark]) + fromCharCode(code % 0x80) + apply(slice, rest, [mark + 1, at]) + 'with'
      : apply(slice, rest, [0, at + 4]);
    rest = apply(slice, rest, [at + 4]);
  }
  return written + rest;
}

// Functions of the prelude look native; the engine's own text lacks the names of computed keys.
const toString = {
  toString() {
    if (typeof this === 'function') {
      const name = nativeName(this);
      if (name !== undefined) {
        return `function ${name}() { [native code] }`;
      }
    }
    return asWritten(apply(functionToString, this, []));
  },
}.toString;
markNative(toString, 'toString');
define(Function.prototype, 'toString', toString, false, true, true);

// The global's prototype chain is immutable in browsers; the engine does not enforce that, so all
// functions that change a prototype are guarded. The guards cannot detect a proxy of the global. So
// a change through a proxy is undone before any other script can run.
// https://webidl.spec.whatwg.org/#platform-object-setprototypeof
const fixedPrototypes = newList();

export function fixPrototypes() {
  fixedPrototypes.length = 0;
  for (let at = global; isImmutablePrototype(at); at = getPrototypeOf(at)) {
    fixedPrototypes[fixedPrototypes.length] = at;
  }
  fixedPrototypes[fixedPrototypes.length] = getPrototypeOf(fixedPrototypes[fixedPrototypes.length - 1]);
}

function restorePrototypes() {
  let changed = false;
  for (let i = 0; i < fixedPrototypes.length - 1; i++) {
    if (getPrototypeOf(fixedPrototypes[i]) !== fixedPrototypes[i + 1]) {
      setProto(fixedPrototypes[i], fixedPrototypes[i + 1]);
      changed = true;
    }
  }
  return changed;
}

function guardPrototype() {
  markImmutablePrototype(global);
  fixPrototypes();
  const objectSet = Object.setPrototypeOf;
  const reflectSetProto = Reflect.setPrototypeOf;
  const protoAccessor = getOwnPropertyDescriptor(Object.prototype, '__proto__');
  const forbidden = (object, proto) => isObject(object) && isImmutablePrototype(object)
    && (isObject(proto) || proto === null) && proto !== getPrototypeOf(object);
  const refuse = () => {
    throw new TypeErrorCtor('Immutable prototype object cannot have its prototype set');
  };
  const object = {
    setPrototypeOf(object, proto) {
      if (forbidden(object, proto)) {
        refuse();
      }
      const result = apply(objectSet, this, [object, proto]);
      if (restorePrototypes()) {
        refuse();
      }
      return result;
    },
  };
  const reflect = {
    setPrototypeOf(object, proto) {
      return !forbidden(object, proto) && apply(reflectSetProto, this, [object, proto]) && !restorePrototypes();
    },
  };
  const accessor = {
    set __proto__(proto) {
      if (forbidden(this, proto)) {
        refuse();
      }
      apply(protoAccessor.set, this, [proto]);
      if (restorePrototypes()) {
        refuse();
      }
    },
  };
  define(Object, 'setPrototypeOf', native(object.setPrototypeOf, 'setPrototypeOf', 2), false, true, true);
  define(Reflect, 'setPrototypeOf', native(reflect.setPrototypeOf, 'setPrototypeOf', 2), false, true, true);
  defineProperty(Object.prototype, '__proto__', {
    __proto__: null,
    get: protoAccessor.get,
    set: native(getOwnPropertyDescriptor(accessor, '__proto__').set, 'set __proto__', 1),
    enumerable: false,
    configurable: true,
  });
}
guardPrototype();

// The engine calls Error.prepareStackTrace wherever a stack is read, also below steps in Java, and gives it the functions
// of the frames. Only V8 has this hook. Here an assignment has no effect, so a page that sets and restores it goes on.
defineProperty(ErrorCtor, 'prepareStackTrace', {
  __proto__: null,
  get: undefined,
  set: native(function (value) {}, 'set prepareStackTrace', 1),
  enumerable: false,
  configurable: false,
});
