package dev.weblocks.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import dev.weblocks.agent.Driver;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The layers of the library, and the rules for each of its classes. */
class ArchitectureTest {

  /** The packages that each package may use besides itself; no package of a layer above it. */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("idl", List.of()),
          Map.entry("model", List.of()),
          Map.entry("lockmanager.message", List.of("model")),
          Map.entry("lockmanager", List.of("model", "lockmanager.message")),
          Map.entry(
              "lockmanager.earlydraft", List.of("model", "lockmanager", "lockmanager.message")),
          Map.entry("agent", List.of("model")),
          Map.entry("observe", List.of("model", "lockmanager", "lockmanager.message", "agent")),
          Map.entry("binding", List.of("idl", "agent")),
          Map.entry("utf8", List.of()),
          Map.entry("url", List.of("agent", "binding", "utf8")),
          Map.entry("dom", List.of("idl", "agent", "binding")),
          Map.entry("encoding", List.of("agent", "binding", "utf8", "url")),
          Map.entry("storage", List.of("agent", "binding", "url", "dom", "global")),
          Map.entry("console", List.of("agent", "binding", "dom", "global")),
          Map.entry("crypto", List.of("agent", "binding", "dom", "global")),
          Map.entry("messaging", List.of("model", "agent", "binding", "dom", "global", "storage")),
          Map.entry("global", List.of("model", "agent", "binding", "url", "dom")),
          Map.entry("file", List.of("agent", "binding", "utf8", "url", "storage")),
          Map.entry(
              "fetch",
              List.of("model", "agent", "binding", "utf8", "url", "dom", "global", "file")),
          Map.entry(
              "xhr",
              List.of("agent", "binding", "url", "dom", "global", "encoding", "file", "fetch")),
          Map.entry(
              "workers",
              List.of(
                  "model",
                  "agent",
                  "binding",
                  "url",
                  "dom",
                  "global",
                  "messaging",
                  "storage",
                  "file",
                  "fetch")),
          Map.entry(
              "html",
              List.of(
                  "idl",
                  "model",
                  "agent",
                  "binding",
                  "utf8",
                  "url",
                  "dom",
                  "global",
                  "encoding",
                  "messaging",
                  "storage",
                  "fetch",
                  "workers")),
          Map.entry(
              "locks",
              List.of(
                  "model",
                  "lockmanager",
                  "lockmanager.message",
                  "agent",
                  "binding",
                  "dom",
                  "global",
                  "storage")),
          Map.entry(
              "locks.earlydraft",
              List.of(
                  "model",
                  "lockmanager",
                  "lockmanager.message",
                  "lockmanager.earlydraft",
                  "agent",
                  "binding",
                  "dom",
                  "global",
                  "storage",
                  "locks")),
          Map.entry(
              "serviceworkers",
              List.of(
                  "model",
                  "agent",
                  "binding",
                  "url",
                  "dom",
                  "global",
                  "messaging",
                  "storage",
                  "file",
                  "fetch",
                  "workers",
                  "html",
                  "locks")),
          Map.entry(
              "installation", List.of("agent", "binding", "dom", "global", "storage", "workers")),
          Map.entry("embed.internal", List.of()),
          Map.entry(
              "embed",
              List.of(
                  "model",
                  "embed.internal",
                  "lockmanager",
                  "lockmanager.message",
                  "agent",
                  "binding",
                  "utf8",
                  "url",
                  "dom",
                  "global",
                  "console",
                  "crypto",
                  "messaging",
                  "encoding",
                  "storage",
                  "file",
                  "fetch",
                  "xhr",
                  "workers",
                  "html",
                  "locks",
                  "locks.earlydraft",
                  "observe",
                  "serviceworkers",
                  "installation")));

  /** The classes of the library, without the helpers of its tests. */
  static final JavaClasses LIBRARY =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("dev/weblocks/testing/"))
          .importPackages("dev.weblocks");

  private static final Path SOURCES = Path.of("src/library/src/main/java/dev/weblocks");

  private static String packageOf(String name) {
    return "dev.weblocks." + name;
  }

  /** Returns the package name without the prefix. */
  private static String shortName(String packageName) {
    return packageName.substring("dev.weblocks.".length());
  }

  private static Set<String> packages() {
    Set<String> names = new TreeSet<>();
    LIBRARY.forEach(each -> names.add(each.getPackageName()));
    return names;
  }

  @Test
  void every_package_belongs_to_a_layer() {
    Set<String> unknown = new TreeSet<>();
    packages().forEach(each -> unknown.add(shortName(each)));
    unknown.removeAll(MAY_USE.keySet());
    assertEquals(Set.of(), unknown, "packages that ArchitectureTest.MAY_USE does not know");
    assertTrue(LIBRARY.size() > 100, "too few classes were found: " + LIBRARY.size());
  }

  @Test
  void no_package_uses_a_package_of_a_higher_layer() {
    LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (String name : MAY_USE.keySet()) {
      layers = layers.layer(name).definedBy(packageOf(name));
    }
    for (Map.Entry<String, List<String>> each : MAY_USE.entrySet()) {
      layers =
          each.getValue().isEmpty()
              ? layers.whereLayer(each.getKey()).mayNotAccessAnyLayer()
              : layers
                  .whereLayer(each.getKey())
                  .mayOnlyAccessLayers(each.getValue().toArray(String[]::new));
    }
    layers.check(LIBRARY);
  }

  @Test
  void packages_are_free_of_cycles() {
    slices().matching("dev.weblocks.(**)").should().beFreeOfCycles().check(LIBRARY);
  }

  @Test
  void idl_and_lock_manager_do_not_depend_on_the_engine() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.weblocks.idl..", "dev.weblocks.lockmanager..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.graalvm..", "org.jsoup..")
        .check(LIBRARY);
  }

  @Test
  void engine_is_used_through_its_public_api() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weblocks.binding.LazyProperties")
        .and()
        .doNotHaveFullyQualifiedName("dev.weblocks.binding.LazyProperties$Later")
        .and()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.ImportMetaUrl")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.oracle..")
        .check(LIBRARY);
  }

  /** Without a type, the engine decides by the name of a source whether it is a module. */
  @Test
  void only_one_class_makes_sources_and_gives_them_a_type() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.ScriptSource")
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "makes a source",
                call ->
                    call.getTargetOwner().isEquivalentTo(Source.class)
                        && Set.of("newBuilder", "create").contains(call.getName())))
        .check(LIBRARY);
  }

  @Test
  void only_html_depends_on_the_html_parser() {
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.html.."))
        .should()
        .dependOnClassesThat(resideInAPackage("org.jsoup.."))
        .check(LIBRARY);
  }

  @Test
  void only_observe_uses_jfr_and_no_class_uses_jmx() {
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.observe.."))
        .should()
        .dependOnClassesThat(resideInAPackage("jdk.jfr.."))
        .check(LIBRARY);
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("javax.management..", "java.lang.management..")
        .check(LIBRARY);
  }

  /** The build takes tables from these libraries; programs do not inherit them. */
  @Test
  void no_class_depends_on_icu_or_guava() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.ibm.icu..", "com.google..")
        .check(LIBRARY);
  }

  @Test
  void only_the_utf8_package_converts_between_bytes_and_text() {
    noClasses()
        .that(resideOutsideOfPackage("dev.weblocks.utf8.."))
        .and() // these read files of the program only
        .doNotHaveFullyQualifiedName("dev.weblocks.binding.Resources")
        .and()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.EngineWarmUp")
        .should()
        .accessField(java.nio.charset.StandardCharsets.class, "UTF_8")
        .check(LIBRARY);
  }

  @Test
  void driver_implementations_are_used_only_in_agent_and_where_they_are_created() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weblocks.agent")
        .and()
        .haveNameNotMatching(
            "dev.weblocks.embed.(\\w*Driver(\\$.*)?|\\w*Installation.*|Installing)")
        .should() // those make them
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "a kind of driver",
                type -> type.isAssignableTo(Driver.class) && !type.isEquivalentTo(Driver.class)))
        .check(LIBRARY);
  }

  @Test
  void no_class_outside_agent_uses_instanceof_with_a_driver() {
    List<String> found = new ArrayList<>();
    for (JavaClass each : LIBRARY) {
      if (!each.getPackageName().equals("dev.weblocks.agent")) {
        each.getInstanceofChecks().stream()
            .filter(check -> check.getRawType().isAssignableTo(Driver.class))
            .forEach(check ->
                found.add(check.getOwner().getFullName() + ": " + check.getRawType().getName()));
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void every_package_is_null_marked() throws ClassNotFoundException {
    for (String name : packages()) {
      Class<?> info = Class.forName(name + ".package-info");
      assertTrue(info.isAnnotationPresent(NullMarked.class), name + " is not @NullMarked");
    }
  }

  @Test
  void nothing_is_written_to_the_standard_streams() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .check(LIBRARY);
  }

  @Test
  void only_the_system_clock_reads_clocks_of_the_jdk() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.SystemClock")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethodWhere(aClockOfTheJdk())
        .check(LIBRARY);
  }

  private static DescribedPredicate<JavaMethodCall> aClockOfTheJdk() {
    return DescribedPredicate.describe(
        "a clock of the JDK",
        call ->
            call.getTargetOwner().getPackageName().equals("java.time")
                && call.getName().equals("now"));
  }

  @Test
  void no_class_calls_thread_sleep() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "Thread.sleep",
                call ->
                    call.getTargetOwner().isEquivalentTo(Thread.class)
                        && call.getName().equals("sleep")))
        .check(LIBRARY);
  }

  @Test
  void only_drivers_and_closers_of_contexts_create_threads() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.ThreadPoolDriver")
        .and()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.RealTimeDelays")
        .and()
        .doNotHaveFullyQualifiedName("dev.weblocks.agent.ContextCloser")
        .should()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "a new thread or timer",
                call ->
                    call.getTargetOwner().isAssignableTo(Thread.class)
                        || call.getTargetOwner().isEquivalentTo(java.util.Timer.class)))
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "a thread or executor of the JDK", ArchitectureTest::makesThreads))
        .check(LIBRARY);
  }

  private static boolean makesThreads(JavaAccess<?> call) {
    JavaClass owner = call.getTargetOwner();
    return owner.isEquivalentTo(java.util.concurrent.Executors.class)
        || owner.isEquivalentTo(Thread.class)
            && Set.of("ofVirtual", "ofPlatform", "startVirtualThread").contains(call.getName());
  }

  /** Such a thread keeps the context class loader of the first caller in the JVM. */
  @Test
  void no_class_starts_a_thread_of_the_jdk_that_never_ends() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "a delay, cleaner or process of the JDK; use RealTimeDelays",
                ArchitectureTest::startsEndlessThread))
        .check(LIBRARY);
  }

  private static boolean startsEndlessThread(JavaAccess<?> call) {
    JavaClass owner = call.getTargetOwner();
    return owner.isEquivalentTo(java.lang.ref.Cleaner.class)
        || owner.isEquivalentTo(ProcessBuilder.class)
        || owner.isEquivalentTo(Runtime.class)
            && Set.of("exec", "addShutdownHook").contains(call.getName())
        || owner.isAssignableTo(java.util.concurrent.CompletableFuture.class)
            && Set.of("orTimeout", "completeOnTimeout", "delayedExecutor").contains(call.getName())
        || owner.isAssignableTo(java.util.concurrent.ForkJoinPool.class)
            && call.getName().startsWith("schedule");
  }

  @Test
  void only_driver_uses_unseeded_random_generators_of_the_jdk() {
    noClasses()
        .should()
        .callMethod(java.util.UUID.class, "randomUUID")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(java.util.concurrent.ThreadLocalRandom.class, "current")
        .check(LIBRARY);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.weblocks.embed.Driver")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.SecureRandom")
        .check(LIBRARY);
  }

  @Test
  void all_static_fields_are_final() {
    fields().that().areStatic().should().beFinal().check(LIBRARY);
  }

  @Test
  void no_static_field_holds_a_mutable_container() {
    List<String> found = new ArrayList<>();
    for (JavaClass each : LIBRARY) {
      each.getFields().stream()
          .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
          .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
          .forEach(field -> {
            String type = field.getRawType().getName();
            if (type.startsWith("java.util.concurrent.")
                || type.endsWith("HashMap")
                || type.endsWith("ArrayList")
                || type.endsWith("HashSet")
                || type.endsWith("ThreadLocal")) {
              found.add(field.getFullName());
            }
          });
    }
    assertEquals(List.of(), found);
  }

  @Test
  void public_api_uses_only_its_own_types_and_the_jdk() throws ClassNotFoundException {
    List<String> found = new ArrayList<>();
    for (JavaClass each : LIBRARY) {
      if (Set.of("dev.weblocks.embed", "dev.weblocks.model").contains(each.getPackageName())) {
        Class<?> type = Class.forName(each.getName());
        if (isApi(type)) {
          collectForeign(type, found);
        }
      }
    }
    assertEquals(List.of(), found);
  }

  static boolean isApi(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (!isVisible(at.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static void collectForeign(Class<?> type, List<String> found) {
    String where = type.getName();
    if (type.getGenericSuperclass() != null) {
      check(type.getGenericSuperclass(), where, found);
    }
    for (Type each : type.getGenericInterfaces()) {
      check(each, where, found);
    }
    for (Field each : type.getDeclaredFields()) {
      if (isVisible(each.getModifiers())) {
        check(each.getGenericType(), where + "." + each.getName(), found);
      }
    }
    for (Method each : type.getDeclaredMethods()) {
      if (isVisible(each.getModifiers()) && !each.isSynthetic()) {
        check(each.getGenericReturnType(), where + "." + each.getName(), found);
        checkParameters(each, found);
      }
    }
    for (Constructor<?> each : type.getDeclaredConstructors()) {
      if (isVisible(each.getModifiers()) && !each.isSynthetic()) {
        checkParameters(each, found);
      }
    }
  }

  private static void checkParameters(Executable executable, List<String> found) {
    String where = executable.getDeclaringClass().getName() + "." + executable.getName();
    for (Type each : executable.getGenericParameterTypes()) {
      check(each, where, found);
    }
    for (Type each : executable.getGenericExceptionTypes()) {
      check(each, where, found);
    }
  }

  /**
   * Collects types of other libraries. The text of a generic type names all of its parts. Contexts
   * and their values are allowed, since embedders use them anyway.
   */
  private static void check(Type type, String where, List<String> found) {
    String text = type.getTypeName();
    String withoutOwn =
        text.replaceAll("dev\\.weblocks\\.(embed|model)\\.", "")
            .replaceAll("org\\.graalvm\\.polyglot\\.(Context|Value)\\b", "");
    if (withoutOwn.contains("dev.weblocks.")
        || withoutOwn.contains("org.graalvm.")
        || withoutOwn.contains("org.jsoup.")) {
      found.add(where + " mentions " + text);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lockmanager/LockManager",
        "lockmanager/LockRequestQueue",
        "lockmanager/LockIndex",
        "locks/LockManager",
        "locks/LockClient",
        "locks/ClientRequest",
        "locks/ScriptCallback"
      })
  void algorithms_of_the_draft_name_no_variant(String type) throws IOException {
    Path source = SOURCES.resolve(type + ".java");
    List<String> lines =
        Files.readAllLines(source).stream()
            .filter(line -> line.toLowerCase(Locale.ROOT).contains("variant"))
            .toList();
    assertEquals(List.of(), lines);
  }

  @Test
  void no_two_enums_have_the_same_constants() throws ClassNotFoundException {
    Map<List<String>, String> byConstants = new HashMap<>();
    List<String> mirrored = new ArrayList<>();
    for (JavaClass each : LIBRARY) {
      if (each.isEnum() && !each.isAnonymousClass()) {
        List<String> constants = new ArrayList<>();
        for (Object constant : Class.forName(each.getName()).getEnumConstants()) {
          constants.add(((Enum<?>) constant).name());
        }
        Collections.sort(constants);
        String other = byConstants.putIfAbsent(constants, each.getName());
        if (other != null) {
          mirrored.add(each.getName() + " and " + other);
        }
      }
    }
    assertEquals(List.of(), mirrored);
  }
}
