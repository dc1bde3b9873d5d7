package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;

/** The implementation of {@code collections.idl}. */
final class Collections {

  private Collections() {}

  static final class PairList extends PlatformObject {
    final List<Pair> pairs = new ArrayList<>();

    PairList(Realm realm) {
      super(realm);
    }
  }

  static final class ValueList extends PlatformObject {
    final List<String> items = new ArrayList<>();

    ValueList(Realm realm, Arguments args) {
      super(realm);
      for (int i = 0; i < args.variadicCount(0); i++) {
        items.add(args.variadic(0, i).asString());
      }
    }

    void set(int index, String value) {
      while (items.size() <= index) {
        items.add("");
      }
      items.set(index, value);
    }
  }

  static final class NameMap extends PlatformObject {
    NameMap(Realm realm) {
      super(realm);
    }
  }

  static final class FixedMap extends PlatformObject {
    FixedMap(Realm realm) {
      super(realm);
    }
  }

  static final class NameSet extends PlatformObject {
    NameSet(Realm realm) {
      super(realm);
    }
  }

  static final class Store extends PlatformObject {
    final Map<String, String> items = new LinkedHashMap<>();

    Store(Realm realm) {
      super(realm);
    }
  }

  static final class Overriding extends PlatformObject {
    Overriding(Realm realm) {
      super(realm);
    }
  }

  static class Picture extends PlatformObject {
    final String who;
    final int width;

    Picture(Realm realm, String who, int width) {
      super(realm);
      this.who = who;
      this.width = width;
    }
  }

  static final class Miniature extends Picture {
    Miniature(Realm realm) {
      super(realm, "mini", 2);
    }
  }

  static final class Buffers extends PlatformObject {
    private final Value frozen;

    Buffers(Realm realm) {
      super(realm);
      frozen = binding().values().frozenArray(List.of("a", "b"));
    }
  }

  static final class Kinds extends PlatformObject {
    Kinds(Realm realm) {
      super(realm);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String kind(Arguments args) {
    Value value = args.any(0);
    return value.isNull()
        ? "none"
        : value.isString() ? "string" : value.fitsInInt() ? "int" : "big";
  }

  static PlatformModule module() {
    return RealmBed.module("collections.idl", Collections::define);
  }

  private static void define(Implementations implementations) {
    implementations
        .implement("PairList", PairList.class)
        .constructor((realm, args) -> new PairList(realm))
        .action("append", (list, args) -> list.pairs.add(new Pair(args.string(0), args.integer(1))))
        .action(
            "drop", (list, args) -> list.pairs.removeIf(pair -> pair.key().equals(args.string(0))))
        .pairs(list -> list.pairs, pair -> pair);
    implementations
        .implement("ValueList", ValueList.class)
        .constructor(ValueList::new)
        .getter("length", list -> list.items.size())
        .indexedGetter((list, args) -> list.items.get(args.integer(0)))
        .indexedSetter((list, args) -> list.set(args.integer(0), args.string(1)));
    implementations
        .implement("NameMap", NameMap.class)
        .constructor((realm, args) -> new NameMap(realm))
        .action(
            "put",
            (map, args) ->
                map.binding().objects().entries(map).putHashEntry(args.string(0), args.integer(1)));
    implementations
        .implement("FixedMap", FixedMap.class)
        .constructor((realm, args) -> new FixedMap(realm));
    implementations
        .implement("NameSet", NameSet.class)
        .constructor((realm, args) -> new NameSet(realm))
        .operation(
            "clear",
            (set, args) -> {
              Value unused = set.binding().objects().entries(set).invokeMember("clear");
              return "cleared";
            });
    implementations
        .implement("Store", Store.class)
        .constructor((realm, args) -> new Store(realm))
        .getter("title", store -> "the store")
        .getter("fixed", store -> "fixed")
        .supportedNames(store -> List.copyOf(store.items.keySet()))
        .operation("getItem", (store, args) -> store.items.get(args.string(0)))
        .action("setItem", (store, args) -> store.items.put(args.string(0), args.string(1)))
        .action("removeItem", (store, args) -> store.items.remove(args.string(0)));
    implementations
        .implement("Overriding", Overriding.class)
        .constructor((realm, args) -> new Overriding(realm))
        .getter("title", each -> "own")
        .supportedNames(each -> List.of("title", "toString", "plain"))
        .namedGetter((each, args) -> "named " + args.string(0));
    implementations
        .implement("Picture", Picture.class)
        .factory("Portrait", (realm, args) -> new Picture(realm, args.string(0), args.integer(1)))
        .with(Collections::pictureMembers);
    implementations
        .implement("Miniature", Miniature.class)
        .constructor((realm, args) -> new Miniature(realm))
        .getter("notForJson", mini -> 1)
        .getter("tiny", mini -> true);
    implementations
        .mixin("Limits", PlatformObject.class)
        .staticGetter("unit", realm -> "metre")
        .staticOperation("least", args -> 1);
    implementations
        .implement("Kinds", Kinds.class)
        .constructor((realm, args) -> new Kinds(realm))
        .operation("numeric", (kinds, args) -> kind(args) + " " + args.any(0).asBigInteger())
        .operation("perhaps", (kinds, args) -> kind(args))
        .operation("pick", (kinds, args) -> args.overload() + " " + kind(args))
        .operation("arity", (kinds, args) -> String.valueOf(args.overload()))
        .operation("nullish", (kinds, args) -> String.valueOf(args.overload()))
        .operation("perhapsList", (kinds, args) -> String.valueOf(args.overload()))
        .operation(
            "entries",
            (kinds, args) -> String.join(",", args.list(0).stream().map(RealmBed::text).toList()));
    implementations
        .implement("Buffers", Buffers.class)
        .constructor((realm, args) -> new Buffers(realm))
        .operation("bytes", (buffers, args) -> hex(args.bytes(0)))
        .operation("shared", (buffers, args) -> hex(args.bytes(0)))
        .operation("resizable", (buffers, args) -> hex(args.bytes(0)))
        .operation("floats", (buffers, args) -> hex(args.bytes(0)))
        .action(
            "fill",
            (buffers, args) ->
                buffers
                    .binding()
                    .bufferSources()
                    .write(args.any(0), args.integer(1), "0123456789".getBytes(US)))
        .operation(
            "make",
            (buffers, args) -> {
              byte[] bytes = new byte[args.integer(0)];
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
              }
              return buffers.binding().bufferSources().uint8Array(bytes);
            })
        .getter("frozen", buffers -> buffers.frozen);
  }

  private static final java.nio.charset.Charset US = java.nio.charset.StandardCharsets.US_ASCII;

  private static void pictureMembers(Implementations.Interface<Picture> picture) {
    picture
        .getter("who", each -> each.who)
        .getter("width", each -> each.width)
        .action("hang", (each, args) -> {})
        .getter("lenient", each -> 3)
        .setter("lenient", (each, args) -> {})
        .getter("soft", each -> 4);
  }
}
