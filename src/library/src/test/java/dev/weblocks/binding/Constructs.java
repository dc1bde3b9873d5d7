package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The implementation of {@code constructs.idl}: each operation returns its arguments as text. */
final class Constructs {

  private Constructs() {}

  static class Animal extends PlatformObject {
    final String name;
    String nick = "";
    String color = "red";
    @Nullable String shade;

    Animal(Realm realm, String name) {
      super(realm);
      this.name = name;
    }
  }

  static final class Dog extends Animal {
    Dog(Realm realm) {
      super(realm, "dog");
    }
  }

  static final class Empty extends PlatformObject {
    Empty(Realm realm) {
      super(realm);
    }
  }

  static final class Calls extends PlatformObject {
    Calls(Realm realm) {
      super(realm);
    }
  }

  static final class Promising extends PlatformObject {
    Promising(Realm realm) {
      super(realm);
    }
  }

  static final class Failing extends PlatformObject {
    Failing(Realm realm, String kind) {
      super(realm);
      fail(realm, kind, null);
    }
  }

  static final class Special extends PlatformObject {
    String text = "text";
    final Animal pet;

    Special(Realm realm) {
      super(realm);
      pet = new Animal(realm, "pet");
    }
  }

  static final class Row extends PlatformObject {
    int size;

    Row(Realm realm, int size) {
      super(realm);
      this.size = size;
    }
  }

  static final class Robot extends PlatformObject {
    Robot(Realm realm) {
      super(realm);
    }
  }

  static final class WorkersOnly extends PlatformObject {
    WorkersOnly(Realm realm) {
      super(realm);
    }
  }

  static final class SecureOnly extends PlatformObject {
    SecureOnly(Realm realm) {
      super(realm);
    }
  }

  static final class Hidden extends PlatformObject {
    Hidden(Realm realm) {
      super(realm);
    }
  }

  /** State of the static attributes of one test. */
  static final class Statics {
    String motto = "";
  }

  static void fail(Realm realm, String kind, @Nullable Value value) {
    switch (kind) {
      case "" -> {}
      case "type" -> throw ScriptException.typeError("wrong type");
      case "range" -> throw ScriptException.rangeError("out of range");
      case "dom" -> throw ScriptException.dom("NotSupportedError", "not here");
      case "value" ->
          throw ScriptException.of(
              value == null ? RealmBinding.of(realm).values().undefined() : value);
      case "defect" -> throw new IllegalStateException("secret of dev.weblocks");
      case "null" -> throw new NullPointerException();
      case "overflow" -> throw new StackOverflowError();
      case "memory" -> throw new OutOfMemoryError();
      case "unconvertible" -> RealmBinding.of(realm).values().toScript(new Object());
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static List<String> items(Value list) {
    return IntStream.range(0, (int) list.getArraySize())
        .mapToObj(i -> String.valueOf(RealmBed.text(list.getArrayElement(i))))
        .toList();
  }

  private static String flat(Arguments args, int argument) {
    return String.join(",", items(args.any(argument)));
  }

  static String show(Realm realm, Value value) {
    if (value.isNull()) {
      return RealmBinding.of(realm).values().isUndefined(value) ? "undefined" : "null";
    }
    if (value.isHostObject()) {
      return value.<PlatformObject>asHostObject().getClass().getSimpleName();
    }
    if (value.canExecute()) {
      return "function";
    }
    if (value.hasArrayElements()) {
      return items(value).toString();
    }
    return (value.isString() ? "string " : value.isBoolean() ? "boolean " : "number ")
        + RealmBed.text(value);
  }

  static PlatformModule module() {
    return RealmBed.module("constructs.idl", Constructs::define);
  }

  private static void define(Implementations implementations) {
    Statics statics = new Statics();
    implementations.implement("Empty", Empty.class);
    implementations.implement("WorkersOnly", WorkersOnly.class);
    implementations.implement("SecureOnly", SecureOnly.class);
    implementations.implement("Hidden", Hidden.class);
    implementations
        .implement("Animal", Animal.class)
        .constructor((realm, args) ->
            new Animal(realm, args.string(0) + (args.isPresent(1) ? args.integer(1) : "")))
        .getter("name", animal -> animal.name)
        .getter("nick", animal -> animal.nick)
        .setter("nick", (animal, args) -> animal.nick = args.string(0))
        .getter("color", animal -> animal.color)
        .setter("color", (animal, args) -> animal.color = args.string(0))
        .getter("shade", animal -> animal.shade)
        .setter("shade", (animal, args) -> animal.shade = args.stringOrNull(0))
        .staticGetter("count", realm -> 2)
        .staticGetter("motto", realm -> statics.motto)
        .staticSetter("motto", args -> statics.motto = args.string(0))
        .staticOperation("sum", args -> args.integer(0) + args.integer(1))
        .action("act", (animal, args) -> {})
        .operation(
            "speak",
            (animal, args) ->
                (args.string(0) + (args.isPresent(1) ? args.string(1) : ""))
                    .repeat(args.integer(2)));
    implementations
        .implement("Dog", Dog.class)
        .constructor((realm, args) -> new Dog(realm))
        .operation("bark", (dog, args) -> "wuff");
    implementations
        .implement("Calls", Calls.class)
        .constructor((realm, args) -> new Calls(realm))
        .operation(
            "optionals",
            (calls, args) ->
                args.string(0)
                    + " "
                    + args.string(1)
                    + " "
                    + (args.isPresent(2) ? args.integer(2) : "absent")
                    + " "
                    + args.stringOrNull(3))
        .operation(
            "variadic",
            (calls, args) ->
                IntStream.range(0, args.variadicCount(1))
                    .mapToObj(i -> String.valueOf(args.variadic(1, i).asInt()))
                    .collect(Collectors.joining(args.string(0))))
        .operation(
            "settings",
            (calls, args) -> {
              DictionaryView settings = args.dictionary(0);
              return settings.string("beta")
                  + " "
                  + settings.integer("zeta")
                  + " "
                  + settings.string("color")
                  + " "
                  + items(settings.any("list"))
                  + " "
                  + settings.string("must")
                  + " "
                  + settings.isPresent("absent")
                  + " "
                  + args.string(1);
            })
        .operation(
            "plan",
            (calls, args) ->
                show(args.realm(), args.dictionary(0).any("inner"))
                    + " "
                    + args.dictionary(0).isPresent("name"))
        .operation("union", (calls, args) -> show(args.realm(), args.any(0)))
        .operation("nullableUnion", (calls, args) -> show(args.realm(), args.any(0)))
        .operation("stringOrNumber", (calls, args) -> show(args.realm(), args.any(0)))
        .operation("numbers", (calls, args) -> flat(args, 0))
        .operation(
            "nested",
            (calls, args) -> {
              List<String> parts = new ArrayList<>();
              for (long i = 0; i < args.any(0).getArraySize(); i++) {
                parts.add(items(args.any(0).getArrayElement(i)).toString());
              }
              return String.join(";", parts);
            })
        .operation("entries", (calls, args) -> flat(args, 0))
        .operation("color", (calls, args) -> args.string(0))
        .operation("animal", (calls, args) -> args.object(0, Animal.class).name)
        .operation(
            "animalOrNull",
            (calls, args) -> {
              Animal animal = args.objectOrNull(0, Animal.class);
              return animal == null ? "none" : animal.name;
            })
        .operation(
            "order",
            (calls, args) -> args.string(0) + args.integer(1) + args.bool(2) + args.string(3))
        .operation("bytes", (calls, args) -> args.string(0))
        .operation("wellFormed", (calls, args) -> args.string(0))
        .operation("emptyForNull", (calls, args) -> "[" + args.string(0) + "]")
        .action(
            "visit",
            (calls, args) ->
                calls
                    .binding()
                    .callbacks()
                    .callAndReport(
                        args.function(0), calls.binding().values().undefined(), args.any(1)))
        .action(
            "listen",
            (calls, args) ->
                calls
                    .binding()
                    .callbacks()
                    .callUserObject(args.any(0), "hear", calls.object(), args.any(1)))
        .operation("finite", (calls, args) -> String.valueOf(args.number(0)))
        .operation("single", (calls, args) -> String.valueOf(args.number(0)))
        .operation("big", (calls, args) -> args.any(0).asBigInteger().toString())
        .operation("anObject", (calls, args) -> "object")
        .operation(
            "overloaded", (calls, args) -> args.overload() + " " + show(args.realm(), args.any(0)))
        .operation("many", (calls, args) -> String.valueOf(args.overload()));
    implementations
        .implement("Promising", Promising.class)
        .constructor((realm, args) -> new Promising(realm))
        .operation(
            "later",
            (self, args) -> {
              IdlPromise promise = self.binding().promises().newPromise();
              promise.resolve("later " + args.string(0));
              return promise;
            })
        .getter(
            "soon",
            self -> {
              IdlPromise promise = self.binding().promises().newPromise();
              promise.resolve("soon");
              return promise;
            })
        .operation(
            "failing",
            (self, args) -> {
              fail(args.realm(), args.string(0), null);
              IdlPromise promise = self.binding().promises().newPromise();
              promise.reject(ScriptException.dom("AbortError", "gone"));
              return promise;
            });
    implementations
        .implement("Failing", Failing.class)
        .constructor((realm, args) -> new Failing(realm, args.string(0)))
        .action("fail", (self, args) -> fail(args.realm(), args.string(0), args.any(1)))
        .getter(
            "broken",
            self -> {
              throw ScriptException.rangeError("broken");
            })
        .getter("settable", self -> 0)
        .setter(
            "settable",
            (self, args) -> {
              throw ScriptException.typeError("not settable to " + args.integer(0));
            })
        .operation(
            "recurse",
            (self, args) -> {
              Value result = self.realm().agent().call(args.function(0), "deeper");
              return result.isString() ? result.asString() : "end";
            });
    implementations
        .implement("Special", Special.class)
        .constructor((realm, args) -> new Special(realm))
        .getter("replaceable", self -> 1)
        .getter("pet", self -> self.pet)
        .getter("wild", self -> self.pet)
        .getter("same", self -> self.pet)
        .getter("fixed", self -> 5)
        .operation("fixedCall", (self, args) -> "fixed")
        .getter("text", self -> self.text)
        .setter("text", (self, args) -> self.text = args.string(0))
        .operation("toString", (self, args) -> self.text);
    implementations
        .implement("Row", Row.class)
        .constructor((realm, args) -> new Row(realm, args.integer(0)))
        .getter("length", row -> row.size)
        .operation(
            "item",
            (row, args) -> args.number(0) < row.size ? "item " + (int) args.number(0) : null);
    implementations.implement("Robot", Robot.class).constructor((realm, args) -> new Robot(realm));
    implementations
        .mixin("Walks", Robot.class)
        .operation("walk", (robot, args) -> "walks")
        .getter("gait", robot -> "stiff");
    implementations
        .mixin("Tools", PlatformObject.class)
        .staticOperation("join", args -> args.string(0) + args.string(1));
  }
}
