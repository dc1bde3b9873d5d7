// The prelude, part 7: what else makes the realm one of a browser.

// Functions of ours look native; the engine's own answer lacks the names of computed keys.
const toString = {
  toString() {
    if (typeof this === 'function') {
      const name = nativeName(this);
      if (name !== undefined) {
        return `function ${name}() { [native code] }`;
      }
    }
    return apply(functionToString, this, []);
  },
}.toString;
markNative(toString, 'toString');
define(Function.prototype, 'toString', toString, false, true, true);

// The global's prototype chain is immutable in browsers; the engine leaves it open.
// https://webidl.spec.whatwg.org/#platform-object-setprototypeof
function guardPrototype() {
  const immutable = (object) => isObject(object) && (object === global || isImmutablePrototype(object));
  const objectSet = Object.setPrototypeOf;
  const reflectSetProto = Reflect.setPrototypeOf;
  const protoAccessor = getOwnPropertyDescriptor(Object.prototype, '__proto__');
  const allowed = (object, proto) => !immutable(object) || proto === getPrototypeOf(object);
  const guarded = {
    setPrototypeOf(object, proto) {
      if (!allowed(object, proto) && (isObject(proto) || proto === null)) {
        throw new TypeErrorCtor('Immutable prototype object cannot have its prototype set');
      }
      return apply(objectSet, this, [object, proto]);
    },
  };
  const reflect = {
    setPrototypeOf(object, proto) {
      if (!allowed(object, proto) && (isObject(proto) || proto === null)) {
        return false;
      }
      return apply(reflectSetProto, this, [object, proto]);
    },
  };
  const accessor = {
    set __proto__(proto) {
      if (!allowed(this, proto) && (isObject(proto) || proto === null)) {
        throw new TypeErrorCtor('Immutable prototype object cannot have its prototype set');
      }
      apply(protoAccessor.set, this, [proto]);
    },
  };
  define(Object, 'setPrototypeOf', native(guarded.setPrototypeOf, 'setPrototypeOf', 2), false, true, true);
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

// What the engine offers and no browser does.
const { setUnhandledPromiseRejectionHandler } = typeof Graal === 'object' ? Graal : {};
for (const name of ['print', 'printErr', 'load', 'loadWithNewGlobal', 'Graal', 'arguments']) {
  delete global[name];
}
delete global[toStringTag];
