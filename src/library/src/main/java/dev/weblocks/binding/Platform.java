package dev.weblocks.binding;

import dev.weblocks.agent.Configuration;
import dev.weblocks.agent.EnvironmentSettings;
import dev.weblocks.agent.Realm;
import dev.weblocks.agent.UserAgent;
import dev.weblocks.idl.IdlFile;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlParser;
import dev.weblocks.idl.MergedDictionary;
import dev.weblocks.idl.MergedInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces of the given modules, with their code. Created once, shared by any number of user
 * agents, and installed into each realm. Immutable except for caches; thread-safe.
 */
public final class Platform implements Configuration.Part {

  /** The properties that decide which interfaces and members a global has. */
  private record GlobalKind(Set<String> globalNames, boolean secureContext) {}

  private final List<PlatformModule> modules;
  private final IdlModel model;
  private final Map<String, Integer> interfaceIds = new LinkedHashMap<>();
  private final Map<Class<?>, Integer> idsByClass = new HashMap<>();
  private final Map<String, List<String>> dictionaryMembers = new HashMap<>();
  private final Map<String, InitDictionary> initDictionaries = new ConcurrentHashMap<>();
  private final MemberTable memberTable;
  private final Map<String, Integer> internals;
  private final Map<GlobalKind, RealmSources> sources = new ConcurrentHashMap<>();
  private final Prelude prelude = new Prelude();
  private final Cloning serialization;
  private final Cloning transfer;
  private final EngineFeatures features = new EngineFeatures();
  private final ExceptionReporter reporter;

  private final boolean lazyInterfaces;

  private Platform(
      List<PlatformModule> modules, ExceptionReporter reporter, boolean lazyInterfaces) {
    this.lazyInterfaces = lazyInterfaces;
    this.reporter = reporter;
    this.modules = List.copyOf(modules);
    Implementations implementations = new Implementations();
    List<IdlFile> files = new ArrayList<>();
    files.add(IdlParser.parse("webidl.idl", Resources.text(Platform.class, "webidl.idl")));
    DOMException.define(implementations);
    for (PlatformModule module : modules) {
      files.add(
          IdlParser.parse(
              module.idlResource(), Resources.text(module.getClass(), module.idlResource())));
      module.define(implementations);
    }
    this.model = IdlModel.of(files);
    for (MergedInterface each : model.interfaces()) {
      interfaceIds.put(each.name(), interfaceIds.size());
    }
    Map<Class<?>, String> namesByClass = new HashMap<>();
    implementations.byInterface.forEach((name, implementation) -> {
      int id = idOf(name);
      if (OfInterface.class.isAssignableFrom(implementation.type)) {
        return;
      }
      idsByClass.put(implementation.type, id);
      String other = namesByClass.put(implementation.type, name);
      if (other != null) {
        throw new IllegalStateException(
            "%s and %s are both implemented by %s; implement each interface by its own class"
                .formatted(other, name, implementation.type.getName()));
      }
    });
    for (MergedDictionary each : model.dictionaries()) {
      dictionaryMembers.put(
          each.name(), each.allMembers().stream().map(member -> member.name()).toList());
    }
    this.memberTable = new MemberTable(model, implementations);
    this.internals = internals();
    this.serialization = Cloning.of(model, "Serializable", implementations, of -> of.serializable);
    this.transfer = Cloning.of(model, "Transferable", implementations, of -> of.transferable);
  }

  /**
   * Checks that each member of the IDL has code, and that all code has a member. Not called at a
   * start: it writes the code of all interfaces, and fails for each user or for none.
   *
   * @throws IllegalStateException if IDL and code differ
   */
  public void check() {
    new InterfaceCode(
            model, interfaceIds, memberTable, i -> true, m -> true, n -> true, c -> true, true)
        .writeAll();
    memberTable.check();
  }

  private int idOf(String interfaceName) {
    Integer id = interfaceIds.get(interfaceName);
    if (id == null) {
      throw new IllegalStateException("no IDL for interface " + interfaceName);
    }
    return id;
  }

  ExceptionReporter reporter() {
    return reporter;
  }

  private Map<String, Integer> internals() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    Layout one = new Layout(List.of(0, 1), List.of(List.of()));
    numbers.put(
        "errorTitle",
        memberTable.addInternal(
            "errorTitle",
            Layout.NONE,
            (self, args) -> self instanceof DOMException exception ? exception.title() : null));
    numbers.put(
        "reportException",
        memberTable.addInternal(
            "reportException",
            one,
            (self, args) -> {
              reporter.reportException(args.realm(), args.any(0));
              return null;
            }));
    numbers.put("fulfilled", memberTable.addInternal("fulfilled", one, reaction(true)));
    numbers.put("rejected", memberTable.addInternal("rejected", one, reaction(false)));
    return numbers;
  }

  private static Implementations.Code reaction(boolean fulfilled) {
    return (self, args) -> {
      if (self instanceof Reaction reaction) {
        reaction.settled(fulfilled, args.any(0));
      }
      return null;
    };
  }

  /**
   * Creates a platform from modules.
   *
   * @param reporter receives the exceptions that script did not catch
   */
  public static Platform of(List<PlatformModule> modules, ExceptionReporter reporter) {
    return new Platform(modules, reporter, true);
  }

  /** Creates a platform whose realms create all interface objects at once, for tests. */
  static Platform withEagerInterfaces(List<PlatformModule> modules, ExceptionReporter reporter) {
    return new Platform(modules, reporter, false);
  }

  /** Returns the platform of a user agent. */
  public static Platform of(UserAgent userAgent) {
    Platform platform = userAgent.configuration().find(Platform.class);
    if (platform == null) {
      throw new IllegalStateException("the user agent was created without a platform");
    }
    return platform;
  }

  /**
   * Installs all interfaces that are exposed in a realm. Called once for each realm, on the event
   * loop, before page script runs.
   */
  public void install(Realm realm) {
    realm.supplements().put(RealmBinding.class, new RealmBinding(realm, this));
    modules.forEach(module -> module.onRealmCreated(realm));
  }

  /** Returns whether interface objects are created lazily, if the engine supports it. */
  boolean hasLazyInterfaces() {
    return lazyInterfaces;
  }

  /** Returns the checks of the engine. */
  public EngineFeatures features() {
    return features;
  }

  MemberTable members() {
    return memberTable;
  }

  /** Returns whether an interface is exposed in realms with the given settings. */
  public boolean isExposed(String interfaceName, EnvironmentSettings settings) {
    return interfacesIn(settings.globalNames(), settings.secureContext())
        .test(model.interfaceNamed(interfaceName));
  }

  /**
   * Returns a predicate for the interfaces that are exposed in a kind of global. The IDL decides,
   * unless a module overrides it for that kind.
   */
  private Predicate<MergedInterface> interfacesIn(Set<String> globalNames, boolean secure) {
    PlatformModule.Exposed exposed = exposedIn(globalNames);
    return exposed == null
        ? each -> each.exposedIn(globalNames, secure, false)
        : each ->
            exposed.interfaces().contains(each.name())
                && each.exposedIn(exposed.globalNames(), secure, false);
  }

  private PlatformModule.@Nullable Exposed exposedIn(Set<String> globalNames) {
    for (PlatformModule module : modules) {
      PlatformModule.Exposed exposed = module.exposedIn(globalNames);
      if (exposed != null) {
        return exposed;
      }
    }
    return null;
  }

  /** Returns the serialization of platform objects. */
  public Cloning serialization() {
    return serialization;
  }

  /** Returns the transfer of platform objects. */
  public Cloning transfer() {
    return transfer;
  }

  Prelude prelude() {
    return prelude;
  }

  int interfaceId(PlatformObject implementation) {
    return implementation instanceof OfInterface object
        ? idOf(object.interfaceName())
        : interfaceId(implementation.getClass());
  }

  int interfaceId(Class<?> implementation) {
    Integer id = idsByClass.get(implementation);
    if (id == null) {
      throw new IllegalArgumentException(
          implementation.getName() + " implements no interface; see Implementations");
    }
    return id;
  }

  /** Returns the dictionary from which the objects of an interface are initialized; cached. */
  InitDictionary initDictionary(String interfaceName) {
    return initDictionaries.computeIfAbsent(interfaceName, name -> InitDictionary.of(model, name));
  }

  boolean hasAttribute(String interfaceName, String attribute) {
    return model.interfaceNamed(interfaceName).hasAttribute(attribute);
  }

  List<String> dictionaryMembers(String dictionary) {
    List<String> names = dictionaryMembers.get(dictionary);
    if (names == null) {
      throw new IllegalArgumentException("unknown dictionary '" + dictionary + "'");
    }
    return names;
  }

  /** Returns the sources for the kind of global of the settings; cached by kind. */
  RealmSources sourcesFor(EnvironmentSettings settings) {
    return sources.computeIfAbsent(
        new GlobalKind(settings.globalNames(), settings.secureContext()), this::writeSources);
  }

  /**
   * Returns the JavaScript that is generated for an interface or a namespace.
   *
   * @param globalNames the names of a kind of global; it is a secure context
   * @return null if the interface is not exposed there, or unknown
   */
  public @Nullable String generatedCode(Set<String> globalNames, String name) {
    Source part =
        sources.computeIfAbsent(new GlobalKind(globalNames, true), this::writeSources).part(name);
    return part == null ? null : part.getCharacters().toString();
  }

  private RealmSources writeSources(GlobalKind kind) {
    PlatformModule.Exposed exposed = exposedIn(kind.globalNames());
    Set<String> names = exposed == null ? kind.globalNames() : exposed.globalNames();
    boolean secure = kind.secureContext();
    return new RealmSources(
        new InterfaceCode(
            model,
            interfaceIds,
            memberTable,
            interfacesIn(kind.globalNames(), secure),
            each -> each.exposedIn(names, secure, false),
            each ->
                each.exposedIn(names, secure, false)
                    && (exposed == null || exposed.interfaces().contains(each.name())),
            each -> each.exposedIn(names, secure, false),
            kind.globalNames().contains("Window")),
        internals);
  }
}
