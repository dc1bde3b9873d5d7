package dev.weblocks.binding;

import dev.weblocks.agent.Realm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code DOMException} interface.
 *
 * @see <a href="https://webidl.spec.whatwg.org/#idl-DOMException">Web IDL</a>
 */
public final class DOMException extends PlatformObject {

  /** The legacy codes by name; any other name has the code 0. */
  private static final Map<String, Integer> CODES =
      Map.ofEntries(
          Map.entry("IndexSizeError", 1),
          Map.entry("HierarchyRequestError", 3),
          Map.entry("WrongDocumentError", 4),
          Map.entry("InvalidCharacterError", 5),
          Map.entry("NoModificationAllowedError", 7),
          Map.entry("NotFoundError", 8),
          Map.entry("NotSupportedError", 9),
          Map.entry("InUseAttributeError", 10),
          Map.entry("InvalidStateError", 11),
          Map.entry("SyntaxError", 12),
          Map.entry("InvalidModificationError", 13),
          Map.entry("NamespaceError", 14),
          Map.entry("InvalidAccessError", 15),
          Map.entry("TypeMismatchError", 17),
          Map.entry("SecurityError", 18),
          Map.entry("NetworkError", 19),
          Map.entry("AbortError", 20),
          Map.entry("URLMismatchError", 21),
          Map.entry("QuotaExceededError", 22),
          Map.entry("TimeoutError", 23),
          Map.entry("InvalidNodeTypeError", 24),
          Map.entry("DataCloneError", 25));

  private final String name;
  private final String message;
  private final @Nullable String stack;

  private record Serialized(String name, String message, @Nullable String stack) {}

  public DOMException(Realm realm, String message, String name) {
    this(realm, message, name, null);
  }

  private DOMException(Realm realm, String message, String name, @Nullable String stack) {
    super(realm);
    this.name = name;
    this.message = message;
    this.stack = stack;
  }

  public String name() {
    return name;
  }

  public String message() {
    return message;
  }

  public int code() {
    return CODES.getOrDefault(name, 0);
  }

  String title() {
    return message.isEmpty() ? name : name + ": " + message;
  }

  /** Returns the stack of the original if this is a copy that has one; otherwise null. */
  @Nullable String copiedStack() {
    return stack;
  }

  static void define(Implementations implementations) {
    implementations
        .implement("DOMException", DOMException.class)
        .constructor((realm, args) -> new DOMException(realm, args.string(0), args.string(1)))
        .getter("name", DOMException::name)
        .getter("message", DOMException::message)
        .getter("code", DOMException::code)
        .serializable(
            exception ->
                new Serialized(
                    exception.name,
                    exception.message,
                    exception.binding().errors().stack(exception.object())),
            (realm, from) -> new DOMException(realm, from.message(), from.name(), from.stack()));
  }
}
