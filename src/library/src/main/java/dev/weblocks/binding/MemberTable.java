package dev.weblocks.binding;

import dev.weblocks.binding.Implementations.Code;
import dev.weblocks.idl.Argument;
import dev.weblocks.idl.Definition;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The numbers and the code of the callables of the IDL, which get them when their interface is
 * written. Detects members without code, and code without a member. Thread-safe.
 */
final class MemberTable {

  private final IdlModel model;
  private final Implementations implementations;
  private final Map<String, Integer> ids = new HashMap<>();
  private final Set<Code> used = new HashSet<>();
  private final List<String> missing = new ArrayList<>();

  /** The members by number; replaced when one is added. */
  private volatile SeamMember[] members = new SeamMember[0];

  MemberTable(IdlModel model, Implementations implementations) {
    this.model = model;
    this.implementations = implementations;
  }

  /** Adds a callable that is not in the IDL; returns its number. */
  int addInternal(String label, Layout layout, Code code) {
    return add(new SeamMember(label, 0, layout, code, false, false));
  }

  private synchronized int add(SeamMember member) {
    SeamMember[] more = Arrays.copyOf(members, members.length + 1);
    more[members.length] = member;
    members = more;
    return more.length - 1;
  }

  /** Returns the member with a number. */
  SeamMember get(int id) {
    return members[id];
  }

  /**
   * Returns the number of one callable of a member; the same at each call.
   *
   * @param owner the interface or namespace
   * @param key as in {@link Implementations}, such as {@code get name}
   * @param merged the member, which a mixin may declare; null for constructors, factories and
   *     toString
   * @param overload index among the overloads
   * @param arguments the arguments of that overload
   */
  synchronized int idOf(
      String owner,
      String key,
      @Nullable MergedMember merged,
      int overload,
      List<Argument> arguments) {
    String label = owner + "." + key + "/" + overload;
    Integer known = ids.get(label);
    if (known != null) {
      return known;
    }
    Code code = find(owner, key, merged);
    if (code == null) {
      missing.add(owner + " " + key);
      code =
          (self, args) -> {
            throw new IllegalStateException(label + " has no implementation");
          };
    } else {
      used.add(code);
    }
    int id =
        add(
            new SeamMember(
                label,
                overload,
                layoutOf(arguments),
                code,
                constructs(key),
                code instanceof Implementations.OfferedPromise));
    ids.put(label, id);
    return id;
  }

  /** Returns whether the prelude creates the promise of an operation before the call. */
  boolean takesPromise(String owner, String key, @Nullable MergedMember merged) {
    return find(owner, key, merged) instanceof Implementations.OfferedPromise;
  }

  boolean hasCode(String owner, String key) {
    Implementations.Interface<?> own = implementations.byInterface.get(owner);
    return own != null && own.code.containsKey(key);
  }

  private static boolean constructs(String key) {
    return key.equals("constructor") || key.startsWith("factory ");
  }

  private @Nullable Code find(String owner, String key, @Nullable MergedMember merged) {
    Implementations.Interface<?> own = implementations.byInterface.get(owner);
    Code code = own == null ? null : own.code.get(key);
    Implementations.Interface<?> partial = implementations.partial.get(owner);
    if (code == null && partial != null) {
      code = partial.code.get(key);
    }
    if (code == null) {
      String mixin =
          merged != null && merged.declaredOn() instanceof Definition.Mixin from
              ? from.name()
              : owner;
      Implementations.Interface<?> shared = implementations.byMixin.get(mixin);
      code = shared == null ? null : shared.code.get(key);
    }
    return code == null && merged != null ? derived(owner, key, merged) : code;
  }

  private @Nullable Code derived(String owner, String key, MergedMember merged) {
    for (Implementations.Derivation each : implementations.derivations) {
      Code code = each.derive(model, owner, key, merged.member());
      if (code != null) {
        return code;
      }
    }
    return null;
  }

  private Layout layoutOf(List<Argument> arguments) {
    List<Integer> offsets = new ArrayList<>();
    offsets.add(0);
    List<List<String>> dictionaries = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      MergedDictionary dictionary = dictionaryOf(arguments.get(i).type());
      List<String> names =
          dictionary == null
              ? List.of()
              : dictionary.allMembers().stream().map(member -> member.name()).toList();
      dictionaries.add(names);
      offsets.add(offsets.get(i) + (dictionary == null ? 1 : names.size()));
    }
    return new Layout(offsets, dictionaries);
  }

  private @Nullable MergedDictionary dictionaryOf(IdlType type) {
    return model.resolve(type).withoutAnnotations() instanceof IdlType.NamedType named
            && model.find(named.name()) instanceof MergedDictionary dictionary
        ? dictionary
        : null;
  }

  /** Throws an IllegalStateException if a member lacks code or code lacks a member. */
  synchronized void check() {
    List<String> problems = new ArrayList<>();
    model
        .interfaces()
        .forEach(each -> {
          if (!implementations.byInterface.containsKey(each.name())) {
            problems.add("no class for interface " + each.name());
          }
        });
    missing.forEach(what -> problems.add("no code for " + what));
    implementations.byInterface.values().forEach(each -> findUnused(each, problems));
    implementations.byMixin.values().forEach(each -> findUnused(each, problems));
    implementations.partial.values().forEach(each -> findUnused(each, problems));
    if (!problems.isEmpty()) {
      throw new IllegalStateException("IDL and code differ: " + String.join(", ", problems));
    }
  }

  private void findUnused(Implementations.Interface<?> implementation, List<String> problems) {
    implementation.code.forEach((key, code) -> {
      if (!used.contains(code)) {
        problems.add("no IDL for " + implementation.name + " " + key);
      }
    });
  }
}
