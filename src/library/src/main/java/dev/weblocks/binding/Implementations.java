package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The Java code of all members of the IDL; {@link Platform} checks that both match exactly. */
public final class Implementations {

  /** The key under which the code of {@link Interface#supportsName} is registered. */
  static final String SUPPORTS_NAME = "supports name";

  /** The code of a member. {@code self} is null for static members and constructors. */
  @FunctionalInterface
  public interface Code {
    @Nullable Object run(@Nullable Object self, Arguments args);
  }

  /** The code of an operation whose promise the prelude creates in advance, to save two calls. */
  record OfferedPromise(Code steps) implements Code {
    @Override
    public @Nullable Object run(@Nullable Object self, Arguments args) {
      return steps.run(self, args);
    }
  }

  /** Returns code for objects of a class, for a {@link Derivation}. */
  public static <T> Code code(
      Class<T> type, BiFunction<? super T, Arguments, ? extends @Nullable Object> steps) {
    return (self, args) -> steps.apply(Objects.requireNonNull(type.cast(self)), args);
  }

  /** Code for members that have none of their own. */
  @FunctionalInterface
  public interface Derivation {

    /**
     * Derives the code of a member from its IDL. Called when the interface is written.
     *
     * @param owner the name of the interface
     * @param key the key of the code, such as {@code get title}, {@code set title} or {@code call
     *     initEvent}
     * @return null if this derivation has no code for the member
     */
    @Nullable Code derive(IdlModel model, String owner, String key, Member member);
  }

  final List<Derivation> derivations = new ArrayList<>();
  final Map<String, Interface<?>> byInterface = new LinkedHashMap<>();
  final Map<String, Interface<?>> byMixin = new LinkedHashMap<>();
  final Map<String, Interface<?>> partial = new LinkedHashMap<>();

  Implementations() {}

  /**
   * Begins the implementation of an interface.
   *
   * @param type the class whose objects implement it; objects of exactly this class become objects
   *     of this interface when Java passes them to script, unless they are {@link OfInterface}
   */
  public <T extends PlatformObject> Interface<T> implement(String name, Class<T> type) {
    Interface<T> made = new Interface<>(name, type);
    if (byInterface.put(name, made) != null) {
      throw new IllegalStateException(name + " is implemented twice");
    }
    return made;
  }

  /** Adds code for members of all interfaces that have no code of their own. */
  public void derive(Derivation derivation) {
    derivations.add(derivation);
  }

  /**
   * Begins or continues the implementation of a mixin, which several packages may share. A
   * namespace counts as a mixin that no interface includes.
   *
   * @param type a common supertype of the objects of all interfaces that include the mixin
   */
  @SuppressWarnings("unchecked")
  public <T extends PlatformObject> Interface<T> mixin(String name, Class<T> type) {
    Interface<?> known = byMixin.computeIfAbsent(name, n -> new Interface<>(n, type));
    if (known.type != type) {
      throw new IllegalStateException(
          "mixin " + name + " has two types: " + known.type.getName() + " and " + type.getName());
    }
    return (Interface<T>) known;
  }

  /**
   * Begins or continues the code of partial interfaces by which other packages extend an interface.
   *
   * @param type the class of the interface's implementation, or a superclass
   */
  @SuppressWarnings("unchecked")
  public <T extends PlatformObject> Interface<T> partial(String name, Class<T> type) {
    Interface<?> known = partial.computeIfAbsent(name, n -> new Interface<>(n, type));
    if (known.type != type) {
      throw new IllegalStateException(
          name + " is implemented by both " + known.type.getName() + " and " + type.getName());
    }
    return (Interface<T>) known;
  }

  /** The members of one interface or mixin. */
  public static final class Interface<T extends PlatformObject> {
    final String name;
    final Class<T> type;
    final Map<String, Code> code = new LinkedHashMap<>();
    Cloning.@Nullable Steps serializable;
    Cloning.@Nullable Steps transferable;

    Interface(String name, Class<T> type) {
      this.name = name;
      this.type = type;
    }

    private Interface<T> put(String key, Code steps) {
      if (code.put(key, steps) != null) {
        throw new IllegalStateException(name + " implements '" + key + "' twice");
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

    /** Sets the constructor; it receives the realm of the interface object. */
    public Interface<T> constructor(BiFunction<Realm, Arguments, ? extends T> steps) {
      return put("constructor", (self, args) -> steps.apply(args.realm(), args));
    }

    /** Sets the getter of an attribute. */
    public Interface<T> getter(
        String attribute, Function<? super T, ? extends @Nullable Object> steps) {
      return put("get " + attribute, (self, args) -> steps.apply(self(self)));
    }

    /** Sets the setter of an attribute; the value is argument 0. */
    public Interface<T> setter(String attribute, BiConsumer<? super T, Arguments> steps) {
      return action("set ", attribute, steps);
    }

    /** Sets an operation with a return value, for all its overloads. */
    public Interface<T> operation(
        String operation, BiFunction<? super T, Arguments, ? extends @Nullable Object> steps) {
      return put("call " + operation, (self, args) -> steps.apply(self(self), args));
    }

    /**
     * Sets an operation that nearly always returns {@link Arguments#promise()}, for all overloads.
     */
    public Interface<T> promiseOperation(
        String operation, BiFunction<? super T, Arguments, IdlPromise> steps) {
      return put(
          "call " + operation, new OfferedPromise((self, args) -> steps.apply(self(self), args)));
    }

    /** Sets an operation that returns undefined, for all its overloads. */
    public Interface<T> action(String operation, BiConsumer<? super T, Arguments> steps) {
      return action("call ", operation, steps);
    }

    /** Sets the getter of a static attribute; it receives the current realm. */
    public Interface<T> staticGetter(
        String attribute, Function<Realm, ? extends @Nullable Object> steps) {
      return put("static get " + attribute, (self, args) -> steps.apply(args.realm()));
    }

    /** Sets the setter of a static attribute; the value is argument 0. */
    public Interface<T> staticSetter(String attribute, Consumer<Arguments> steps) {
      return put(
          "static set " + attribute,
          (self, args) -> {
            steps.accept(args);
            return null;
          });
    }

    /** Sets a static operation. */
    public Interface<T> staticOperation(
        String operation, Function<Arguments, ? extends @Nullable Object> steps) {
      return put("static " + operation, (self, args) -> steps.apply(args));
    }

    /**
     * Sets what an {@code iterable<key, value>} declaration iterates over. The functions are called
     * at each step of an iterator, so that changes during an iteration are visible.
     *
     * @param list returns the list of the entries, which it should not make for each call
     * @param pair returns the pair of an entry
     */
    public <E> Interface<T> pairs(
        Function<? super T, ? extends List<? extends E>> list, Function<? super E, Pair> pair) {
      return put(
          "pairs",
          (self, args) -> {
            List<? extends E> all = list.apply(self(self));
            int index = args.integer(0);
            if (index >= all.size()) {
              return null;
            }
            Pair at = pair.apply(all.get(index));
            return List.of(at.key(), at.value());
          });
    }

    /** Sets a legacy factory function; it receives the realm of the function. */
    public Interface<T> factory(
        String identifier, BiFunction<Realm, Arguments, ? extends T> steps) {
      return put("factory " + identifier, (self, args) -> steps.apply(args.realm(), args));
    }

    /**
     * Sets the <a href="https://webidl.spec.whatwg.org/#dfn-supported-property-names">supported
     * property names</a> of an interface with a named getter, in order.
     */
    public Interface<T> supportedNames(Function<? super T, List<String>> names) {
      return put("names", (self, args) -> names.apply(self(self)));
    }

    /**
     * Sets the predicate for supported names, for objects with too many names to list at each
     * access. By default, the list of {@link #supportedNames} is searched.
     */
    public Interface<T> supportsName(BiPredicate<? super T, String> test) {
      return put(SUPPORTS_NAME, (self, args) -> test.test(self(self), args.string(0)));
    }

    /** Sets an indexed getter without identifier; argument 0 is a supported index. */
    public Interface<T> indexedGetter(
        BiFunction<? super T, Arguments, ? extends @Nullable Object> steps) {
      return put("indexed getter", (self, args) -> steps.apply(self(self), args));
    }

    /** Sets an indexed setter without identifier; arguments are index and value. */
    public Interface<T> indexedSetter(BiConsumer<? super T, Arguments> steps) {
      return action("indexed setter", "", steps);
    }

    /** Sets a named getter without identifier; argument 0 is a supported name. */
    public Interface<T> namedGetter(
        BiFunction<? super T, Arguments, ? extends @Nullable Object> steps) {
      return put("named getter", (self, args) -> steps.apply(self(self), args));
    }

    private Interface<T> action(
        String prefix, String name, BiConsumer<? super T, Arguments> steps) {
      return put(
          prefix + name,
          (self, args) -> {
            steps.accept(self(self), args);
            return null;
          });
    }

    /**
     * Sets the steps that copy objects into another realm.
     *
     * @param serialize returns an immutable state, independent of any context; may throw a {@link
     *     ScriptException}
     * @param deserialize creates the copy in another realm, on the event loop of that realm
     * @see <a
     *     href="https://html.spec.whatwg.org/multipage/structured-data.html#serializable-objects">
     *     HTML</a>
     */
    @SuppressWarnings("unchecked")
    public <S> Interface<T> serializable(
        Function<? super T, S> serialize, BiFunction<Realm, S, ? extends T> deserialize) {
      serializable =
          new Cloning.Steps(
              object -> (Object) serialize.apply(type.cast(object)),
              (realm, state) -> deserialize.apply(realm, (S) state));
      return this;
    }

    /**
     * Sets the steps that move objects into another realm. {@code transfer} detaches the original;
     * it throws a {@code DataCloneError} if the original is detached already.
     *
     * @see <a
     *     href="https://html.spec.whatwg.org/multipage/structured-data.html#transferable-objects">
     *     HTML</a>
     */
    @SuppressWarnings("unchecked")
    public <S> Interface<T> transferable(
        Function<? super T, S> transfer, BiFunction<Realm, S, ? extends T> receive) {
      transferable =
          new Cloning.Steps(
              object -> (Object) transfer.apply(type.cast(object)),
              (realm, state) -> receive.apply(realm, (S) state));
      return this;
    }

    /** Adds members that several interfaces define in the same way. */
    public Interface<T> with(Consumer<? super Interface<T>> members) {
      members.accept(this);
      return this;
    }
  }
}
