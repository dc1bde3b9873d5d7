package dev.weblocks.idl;

import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weblocks.testing.Fetched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Comparison of our IDL with that of the specifications in the web-platform-tests; skipped if these
 * are not in the cache.
 */
class WptIdlTest {

  private static final Path OURS = Path.of("src/library/src/main/resources/dev/weblocks");

  private static final Set<String> SPECIFICATIONS =
      Set.of(
          "FileAPI.idl",
          "console.idl",
          "cssom.idl",
          "dom.idl",
          "encoding.idl",
          "fetch.idl",
          "hr-time.idl",
          "html.idl",
          "page-lifecycle.idl",
          "referrer-policy.idl",
          "storage-buckets.idl",
          "storage.idl",
          "service-workers.idl",
          "uievents.idl",
          "url.idl",
          "web-locks.idl",
          "webcrypto.idl",
          "webidl.idl",
          "xhr.idl");

  /** Known deviations; each is documented in the first comment of its IDL file, or beside it. */
  private static final Set<String> DEVIATIONS =
      Set.of(
          // newer than our Working Draft: exposed in SharedStorageWorklet, too
          "Interface Lock",
          "Interface LockManager",
          "Document: Attribute currentScript",
          "Document: Attribute location",
          "Document: Operation createElement",
          "Element: Attribute innerHTML",
          "Element: Attribute outerHTML",
          "Element: Operation insertAdjacentHTML",
          "Interface Window",
          "DOMImplementation: Operation createDocumentType",
          "Window: Operation cancelAnimationFrame",
          "Window: Operation requestAnimationFrame",
          "CompositionEvent: Attribute data",
          "HTMLIFrameElement: Attribute srcdoc",
          "Interface CSSStyleDeclaration",
          "Typedef CSSOMString",
          "KeyboardEvent: Operation getModifierState, its order",
          "KeyboardEvent: Operation initKeyboardEvent, its order",
          "UIEvent: Operation initUIEvent, its order",
          "MouseEvent: Attribute clientX",
          "MouseEvent: Attribute clientY",
          "MouseEvent: Attribute screenX",
          "MouseEvent: Attribute screenY",
          "MouseEvent: Attribute x",
          "MouseEvent: Attribute y",
          "MouseEventInit: DictionaryMember clientX",
          "MouseEventInit: DictionaryMember clientY",
          "MouseEventInit: DictionaryMember screenX",
          "MouseEventInit: DictionaryMember screenY",
          "SharedWorker: Constructor",
          "Enumeration StorageBucketDurability",
          "FormData: Constructor",
          "Enumeration XMLHttpRequestResponseType",
          "Includes InstalledGlobalScope",
          "Includes StorageBucket",
          // not in any specification
          "Interface InstalledGlobalScope",
          "Interface ReleasableLock",
          "InstalledGlobalScope: Attribute navigator",
          "InstalledGlobalScope: Attribute onerror",
          "InstalledGlobalScope: Attribute onstorage",
          "InstalledGlobalScope: Attribute onunhandledrejection",
          "InstalledGlobalScope: Attribute self",
          "LockManager: Operation request",
          "LockOptions: DictionaryMember reentrant",
          "Mixin StorageBucketLocks",
          "ReleasableLock: Operation release",
          "StorageBucket: Operation durability",
          "StorageBucketLocks: Attribute locks",
          "StorageBucketOptions: DictionaryMember durability",
          "ServiceWorkerContainer: Operation register",
          "Typedef BodyInit",
          "Typedef TimerHandler",
          "Typedef WindowProxy",
          "URL: Operation createObjectURL",
          "Window: Attribute opener",
          "Worker: Constructor",
          "WorkerGlobalScope: Operation importScripts");

  private static Path interfaces() {
    return Fetched.wpt().resolve("interfaces");
  }

  private static String withoutPlace(Object element) {
    return element.toString().replaceAll(", position=[^,\\]]*", "");
  }

  private static List<?> members(Definition definition) {
    return switch (definition) {
      case Definition.Interface it -> it.members();
      case Definition.Mixin it -> it.members();
      case Definition.Dictionary it -> it.members();
      case Definition.CallbackInterface it -> it.members();
      case Definition.Namespace it -> it.members();
      default -> List.of();
    };
  }

  /** Returns the text of a definition without its members. */
  private static String head(Definition definition) {
    return switch (definition) {
      case Definition.Interface it ->
          "interface " + it.name() + it.partial() + it.inherits() + it.extendedAttributes();
      case Definition.Mixin it -> "mixin " + it.name() + it.extendedAttributes();
      case Definition.Dictionary it ->
          "dictionary " + it.name() + it.inherits() + it.extendedAttributes();
      case Definition.CallbackInterface it ->
          "callback interface " + it.name() + it.extendedAttributes();
      case Definition.Namespace it -> "namespace " + it.name() + it.extendedAttributes();
      default -> definition.toString();
    };
  }

  private static List<Definition> definitions(Path folder, Predicate<Path> which)
      throws IOException {
    List<Definition> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(which).sorted().toList()) {
        all.addAll(IdlParser.parse(file.toString(), Files.readString(file)).definitions());
      }
    }
    return all;
  }

  /** Returns whether a file has a counterpart in the specifications; the early draft has none. */
  private static boolean isOfSpecification(Path file) {
    return file.toString().endsWith(".idl") && !file.endsWith("early-draft.idl");
  }

  private static String nameOf(Object member) {
    return member.toString().replaceFirst("^(\\w+)\\[(name=(\\w+))?.*", "$1 $3").strip();
  }

  @Test
  void idl_members_equal_those_of_their_specifications() throws IOException {
    Path interfaces = interfaces();
    assumeTrue(Files.isDirectory(interfaces), "no web-platform-tests in " + interfaces);
    Map<String, List<Definition>> theirs =
        definitions(interfaces, file -> SPECIFICATIONS.contains(file.getFileName().toString()))
            .stream()
            .collect(groupingBy(Definition::name));
    Set<String> deviations = new TreeSet<>();
    for (Definition our : definitions(OURS, WptIdlTest::isOfSpecification)) {
      List<Definition> same =
          theirs.getOrDefault(our.name(), List.of()).stream()
              .filter(each -> each.getClass() == our.getClass())
              .toList();
      if (same.stream()
          .noneMatch(each -> withoutPlace(head(each)).equals(withoutPlace(head(our))))) {
        deviations.add(our.getClass().getSimpleName() + " " + our.name());
      }
      int last = -1;
      List<String> all =
          same.stream()
              .flatMap(each -> members(each).stream().map(WptIdlTest::withoutPlace))
              .toList();
      for (Object member : members(our)) {
        int at = all.indexOf(withoutPlace(member));
        if (at <= last) {
          deviations.add(our.name() + ": " + nameOf(member) + (at < 0 ? "" : ", its order"));
        }
        last = Math.max(last, at);
      }
    }
    // our interfaces for cross-origin members have no counterpart
    deviations.removeIf(each -> each.contains("CrossOrigin"));
    // CSSOM has one generic definition for all CSS properties
    deviations.removeIf(
        each -> each.matches("CSSStyleDeclaration: Attribute (?!cssText|length)\\w+"));
    assertEquals(String.join("\n", new TreeSet<>(DEVIATIONS)), String.join("\n", deviations));
  }
}
