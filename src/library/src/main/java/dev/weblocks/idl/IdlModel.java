package dev.weblocks.idl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The IDL of a realm, with merged partials and mixins, checked inheritance and resolved types.
 *
 * <p>The accessors by name throw {@link IllegalArgumentException} for a name that is undefined or
 * has another kind of definition; {@link #find} returns null.
 */
public final class IdlModel {

  private final TypeTable types;
  private final List<MergedInterface> interfaces;
  private final Map<String, NamedDefinition> named = new LinkedHashMap<>();
  private final Map<String, MergedNamespace> namespaces = new LinkedHashMap<>();

  private IdlModel(Merger merger) {
    types = merger.types();
    interfaces = merger.interfaces();
    for (NamedDefinition definition : merger.namedDefinitions()) {
      named.put(definition.name(), definition);
    }
    for (MergedNamespace namespace : merger.namespaces()) {
      namespaces.put(namespace.name(), namespace);
    }
  }

  /**
   * Merges and checks the files.
   *
   * @param files parsed IDL texts; partials and includes statements apply in this order
   * @throws IdlModelException if, taken together, they are not a conforming set of IDL fragments: a
   *     definition is missing, duplicate, cyclic or contradictory
   */
  public static IdlModel of(List<IdlFile> files) {
    return new IdlModel(new Merger(files));
  }

  /** Returns the interfaces, each after its parent, otherwise in text order; immutable. */
  public List<MergedInterface> interfaces() {
    return interfaces;
  }

  /** Returns the namespaces in text order; immutable. */
  public List<MergedNamespace> namespaces() {
    return List.copyOf(namespaces.values());
  }

  /** Returns the callback interfaces in text order; immutable. */
  public List<MergedCallbackInterface> callbackInterfaces() {
    return all(MergedCallbackInterface.class);
  }

  /** Returns the dictionaries in text order; immutable. */
  public List<MergedDictionary> dictionaries() {
    return all(MergedDictionary.class);
  }

  /** Returns the enumerations in text order; immutable. */
  public List<Definition.Enumeration> enumerations() {
    return all(Definition.Enumeration.class);
  }

  /** Returns the definition of a type name; null for an unknown name and for a typedef. */
  public @Nullable NamedDefinition find(String name) {
    return named.get(name);
  }

  /** Returns the definition that a name in a resolved type refers to. */
  public NamedDefinition definition(IdlType.NamedType type) {
    NamedDefinition definition = named.get(type.name());
    if (definition == null) {
      throw new IllegalArgumentException(
          "no definition \"" + type.name() + "\"; only types resolved by this model have one");
    }
    return definition;
  }

  /** Returns the interface with the given name. */
  public MergedInterface interfaceNamed(String name) {
    return get(name, MergedInterface.class, "interface");
  }

  /** Returns the callback interface with the given name. */
  public MergedCallbackInterface callbackInterface(String name) {
    return get(name, MergedCallbackInterface.class, "callback interface");
  }

  /** Returns the dictionary with the given name. */
  public MergedDictionary dictionary(String name) {
    return get(name, MergedDictionary.class, "dictionary");
  }

  /** Returns the enumeration with the given name. */
  public Definition.Enumeration enumeration(String name) {
    return get(name, Definition.Enumeration.class, "enumeration");
  }

  /** Returns the callback function with the given name; its types are resolved. */
  public Definition.CallbackFunction callback(String name) {
    return get(name, Definition.CallbackFunction.class, "callback function");
  }

  /** Returns the namespace with the given name. */
  public MergedNamespace namespace(String name) {
    MergedNamespace namespace = namespaces.get(name);
    if (namespace == null) {
      throw new IllegalArgumentException(
          "no namespace \"" + name + "\"; defined are " + namespaces.keySet());
    }
    return namespace;
  }

  /**
   * Returns a type with typedefs expanded and annotations moved inwards. Types of this model are
   * already resolved; resolving a type again is a no-op.
   *
   * @throws IdlModelException if a name in the type is unknown or names no type, or a nullable or
   *     union type breaks the rules of its kind
   */
  public IdlType resolve(IdlType type) {
    SourcePosition place = TypeTable.positionOrNull(type);
    return types.resolve(type, place == null ? new SourcePosition(type.toIdl(), 1, 1) : place);
  }

  /**
   * Returns whether a value alone shows to which of two resolved types it belongs.
   *
   * @see <a href="https://webidl.spec.whatwg.org/#dfn-distinguishable">distinguishable</a>
   */
  public boolean distinguishable(IdlType one, IdlType other) {
    return types.distinguishable(one, other);
  }

  private <T extends NamedDefinition> List<T> all(Class<T> kind) {
    List<T> all = new ArrayList<>();
    for (NamedDefinition definition : named.values()) {
      if (kind.isInstance(definition)) {
        all.add(kind.cast(definition));
      }
    }
    return List.copyOf(all);
  }

  private <T extends NamedDefinition> T get(String name, Class<T> kind, String inWords) {
    NamedDefinition definition = named.get(name);
    if (!kind.isInstance(definition)) {
      throw new IllegalArgumentException(
          "no "
              + inWords
              + " \""
              + name
              + "\""
              + (definition == null
                  ? "; add the IDL text that defines it"
                  : "; " + definition.position() + " defines it as another kind"));
    }
    return kind.cast(definition);
  }
}
