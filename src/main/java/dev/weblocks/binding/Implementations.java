package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which Java code is behind which interface member. Every member of the IDL must have its code here
 * and every entry here its member: {@link Platform} checks both when it is built.
 */
public final class Implementations {

  /** What a member does. {@code self} is null for static members and constructors. */
  @FunctionalInterface
  interface Code {
    @Nullable Object run(@Nullable Object self, Arguments args);
  }

  final Map<String, Interface<?>> byInterface = new LinkedHashMap<>();
  final Map<String, Interface<?>> byMixin = new LinkedHashMap<>();

  Implementations() {}

  /**
   * Begins the implementation of an interface.
   *
   * @param name the interface's identifier
   * @param type the class whose objects implement it; objects of exactly this class become objects
   *     of this interface when Java hands them to script
   */
  public <T extends PlatformObject> Interface<T> implement(String name, Class<T> type) {
    Interface<T> made = new Interface<>(name, type);
    if (byInterface.put(name, made) != null) {
      throw new IllegalStateException(name + " is implemented twice");
    }
    return made;
  }

  /**
   * Begins, or goes on with, the implementation of a mixin, which several packages may share. A
   * namespace counts as a mixin of nothing.
   *
   * @param type what the objects of all interfaces that include it have in common
   */
  @SuppressWarnings("unchecked")
  public <T extends PlatformObject> Interface<T> mixin(String name, Class<T> type) {
    Interface<?> known = byMixin.computeIfAbsent(name, n -> new Interface<>(n, type));
    if (known.type != type) {
      throw new IllegalStateException(
          name + " is a mixin of " + known.type.getName() + ", not of " + type.getName());
    }
    return (Interface<T>) known;
  }

  /** The members of one interface or mixin. */
  public static final class Interface<T extends PlatformObject> {
    final String name;
    final Class<T> type;
    final Map<String, Code> code = new LinkedHashMap<>();

    Interface(String name, Class<T> type) {
      this.name = name;
      this.type = type;
    }

    private Interface<T> put(String key, Code steps) {
      if (code.put(key, steps) != null) {
        throw new IllegalStateException(name + " has " + key + " twice");
      }
      return this;
    }

    private T self(@Nullable Object self) {
      T implementation = type.cast(self);
      if (implementation == null) {
        throw new IllegalStateException("a member of " + name + " was called without an object");
      }
      return implementation;
    }

    /** The constructor; it is given the realm of the interface object. */
    public Interface<T> constructor(BiFunction<Realm, Arguments, ? extends T> steps) {
      return put("constructor", (self, args) -> steps.apply(args.realm(), args));
    }

    /** The getter of an attribute. */
    public Interface<T> getter(
        String attribute, Function<? super T, ? extends @Nullable Object> steps) {
      return put("get " + attribute, (self, args) -> steps.apply(self(self)));
    }

    /** The setter of an attribute; the value is argument 0. */
    public Interface<T> setter(String attribute, BiConsumer<? super T, Arguments> steps) {
      return put(
          "set " + attribute,
          (self, args) -> {
            steps.accept(self(self), args);
            return null;
          });
    }

    /** An operation with a return value, for all its overloads. */
    public Interface<T> operation(
        String operation, BiFunction<? super T, Arguments, ? extends @Nullable Object> steps) {
      return put("call " + operation, (self, args) -> steps.apply(self(self), args));
    }

    /** An operation that returns undefined, for all its overloads. */
    public Interface<T> action(String operation, BiConsumer<? super T, Arguments> steps) {
      return put(
          "call " + operation,
          (self, args) -> {
            steps.accept(self(self), args);
            return null;
          });
    }

    /** The getter of a static attribute; it is given the current realm. */
    public Interface<T> staticGetter(
        String attribute, Function<Realm, ? extends @Nullable Object> steps) {
      return put("static get " + attribute, (self, args) -> steps.apply(args.realm()));
    }

    /** The setter of a static attribute; the value is argument 0. */
    public Interface<T> staticSetter(String attribute, Consumer<Arguments> steps) {
      return put(
          "static set " + attribute,
          (self, args) -> {
            steps.accept(args);
            return null;
          });
    }

    /** A static operation. */
    public Interface<T> staticOperation(
        String operation, Function<Arguments, ? extends @Nullable Object> steps) {
      return put("static " + operation, (self, args) -> steps.apply(args));
    }

    /** Members that are defined alike in several interfaces. */
    public Interface<T> with(Consumer<? super Interface<T>> members) {
      members.accept(this);
      return this;
    }
  }
}
