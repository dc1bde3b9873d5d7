package dev.weblocks.binding;

import static dev.weblocks.binding.TypeTables.map;

import dev.weblocks.idl.Argument;
import dev.weblocks.idl.EffectiveOverloadSet;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.ExtendedAttributes;
import dev.weblocks.idl.IdlLiteral;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.Member.Attribute;
import dev.weblocks.idl.Member.Operation;
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.idl.MergedMember;
import dev.weblocks.idl.OperationGroup;
import dev.weblocks.idl.Overloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The writer of the prelude's tables of attributes, operations and constructors. A table refers to
 * Java code by its number in the {@link MemberTable}.
 */
final class CallableTables {

  private final IdlModel model;
  private final TypeTables types;
  private final MemberTable members;
  private final Predicate<MergedMember> exposedMember;

  CallableTables(
      IdlModel model,
      TypeTables types,
      MemberTable members,
      Predicate<MergedMember> exposedMember) {
    this.model = model;
    this.types = types;
    this.members = members;
    this.exposedMember = exposedMember;
  }

  /** Returns the table of an attribute. Attributes of a namespace count as static. */
  Map<String, Object> attribute(
      String owner, MergedMember merged, Attribute attribute, boolean isStatic) {
    ExtendedAttributes extended = attribute.extendedAttributes();
    String name = attribute.name();
    String prefix = isStatic ? "static " : "";
    Map<String, Object> table = map("name", name);
    table.put("get", members.idOf(owner, prefix + "get " + name, merged, 0, List.of()));
    table.put(
        "set",
        attribute.readOnly()
            ? -1
            : members.idOf(owner, prefix + "set " + name, merged, 0, List.of(valueOf(attribute))));
    table.put("type", types.type(attribute.type()));
    table.put("static", isStatic);
    table.put("lenientThis", extended.has("LegacyLenientThis"));
    table.put("lenientSetter", extended.has("LegacyLenientSetter"));
    table.put("promise", model.resolve(attribute.type()).isPromiseType());
    table.put("unforgeable", extended.has("LegacyUnforgeable"));
    table.put("replaceable", extended.has("Replaceable"));
    ExtendedAttribute putForwards = extended.get("PutForwards");
    if (putForwards != null) {
      table.put("putForwards", putForwards.identifiers().getFirst());
    }
    return table;
  }

  private static Argument valueOf(Attribute attribute) {
    return new Argument(
        "value",
        attribute.type(),
        false,
        false,
        null,
        ExtendedAttributes.NONE,
        attribute.position());
  }

  List<Object> operations(
      String owner, List<OperationGroup> groups, List<MergedMember> all, boolean namespace) {
    List<Object> operations = new ArrayList<>();
    for (OperationGroup group : groups) {
      MergedMember merged = memberOf(group, all);
      if (merged == null || !exposedMember.test(merged)) {
        continue;
      }
      boolean isStatic = group.isStatic() || namespace;
      Operation first = group.operations().getFirst();
      String returns =
          group.returnsPromise()
              ? "promise"
              : model.resolve(first.returnType()).withoutAnnotations()
                      instanceof IdlType.UndefinedType
                  ? "undefined"
                  : "value";
      Map<String, Object> table = map("name", group.name(), "static", isStatic, "returns", returns);
      table.put("unforgeable", first.extendedAttributes().has("LegacyUnforgeable"));
      String key = (isStatic ? "static " : "call ") + group.name();
      if (members.takesPromise(owner, key, merged)) {
        table.put("offersPromise", true);
      }
      table.put(
          "overloads", overloads(owner, key, merged, group.overloads(), Operation::arguments));
      operations.add(table);
    }
    return operations;
  }

  private static @Nullable MergedMember memberOf(OperationGroup group, List<MergedMember> all) {
    Operation first = group.operations().getFirst();
    for (MergedMember each : all) {
      if (each.member() instanceof Operation operation
          && group.name().equals(operation.name())
          && operation.isStatic() == first.isStatic()) {
        return each;
      }
    }
    return null;
  }

  Map<String, Object> stringifier(MergedInterface from) {
    int id = members.idOf(from.name(), "call toString", null, 0, List.of());
    Map<String, Object> none =
        map("list", List.of(map("id", id, "args", List.of())), "length", 0, "max", 0);
    none.put("byCount", List.of(map("at", -1, "of", List.of(0))));
    Map<String, Object> table = map("name", "toString", "static", false, "returns", "value");
    table.put("unforgeable", isUnforgeable(from));
    table.put("overloads", none);
    return table;
  }

  /** Returns whether toString is unforgeable: true if the stringifier attribute is unforgeable. */
  private static boolean isUnforgeable(MergedInterface from) {
    for (MergedMember merged : from.members()) {
      if (merged.member() instanceof Attribute attribute && attribute.stringifier()) {
        return attribute.extendedAttributes().has("LegacyUnforgeable");
      }
    }
    return false;
  }

  <C> Map<String, Object> overloads(
      String owner,
      String key,
      @Nullable MergedMember merged,
      Overloads<C> overloads,
      Function<C, List<Argument>> argumentsOf) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < overloads.callables().size(); i++) {
      List<Argument> arguments = argumentsOf.apply(overloads.callables().get(i));
      list.add(
          map(
              "id", members.idOf(owner, key, merged, i, arguments),
              "args", arguments.stream().map(this::argument).toList()));
    }
    // beyond the longest declaration only variadic overloads remain
    int max = overloads.declaredMaxArgumentCount() + (overloads.isVariadic() ? 1 : 0);
    EffectiveOverloadSet set = overloads.effectiveOverloadSet(max);
    List<Object> byCount = new ArrayList<>();
    for (int count = 0; count <= max; count++) {
      List<Integer> of =
          set.withArgumentCount(count).stream().map(EffectiveOverloadSet.Item::callable).toList();
      byCount.add(
          map("at", of.size() > 1 ? overloads.distinguishingArgumentIndex(count) : -1, "of", of));
    }
    return map("list", list, "length", overloads.length(), "max", max, "byCount", byCount);
  }

  private Map<String, Object> argument(Argument argument) {
    Map<String, Object> table =
        map(
            "name", argument.name(),
            "type", types.type(argument.type()),
            "optional", argument.optional(),
            "variadic", argument.variadic());
    IdlLiteral value = argument.defaultValue();
    if (value != null) {
      table.put("default", TypeTables.literal(value));
    }
    return table;
  }
}
