package dev.weblocks.html;

import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Implementations.Code;
import dev.weblocks.idl.ExtendedAttribute;
import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlType;
import dev.weblocks.idl.Member;
import dev.weblocks.url.UrlRecord;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The code of attributes that the IDL marks with {@code [Reflect]} or {@code [ReflectURL]}.
 *
 * @see <a
 *     href="https://html.spec.whatwg.org/multipage/common-dom-interfaces.html#reflecting-content-attributes-in-idl-attributes">HTML:
 *     reflecting content attributes in IDL attributes</a>
 */
final class Reflection {

  private Reflection() {}

  static @Nullable Code derive(IdlModel model, String owner, String key, Member member) {
    if (!(member instanceof Member.Attribute attribute)) {
      return null;
    }
    boolean reflectsUrl = attribute.extendedAttributes().has("ReflectURL");
    ExtendedAttribute reflect = attribute.extendedAttributes().get("Reflect");
    if (reflect == null && !reflectsUrl) {
      return null;
    }
    String content =
        reflect != null && reflect.value() instanceof ExtendedAttribute.Value.Text name
            ? name.text()
            : AsciiCase.lower(attribute.name());
    boolean reads = key.startsWith("get ");
    return switch (attribute.type().withoutAnnotations()) {
      case IdlType.NamedType tokens -> code((element, args) -> element.tokenList(content));
      case IdlType.PrimitiveType bool when reads ->
          code((element, args) -> element.attribute(content) != null);
      case IdlType.PrimitiveType bool ->
          code((element, args) -> setPresence(element, content, args.bool(0)));
      default ->
          reads
              ? code((element, args) ->
                  reflectsUrl ? url(element, content) : element.attributeOrEmpty(content))
              : code((element, args) -> {
                element.setAttribute(content, args.string(0));
                return null;
              });
    };
  }

  private static Code code(BiFunction<Element, Arguments, @Nullable Object> steps) {
    return Implementations.code(Element.class, steps);
  }

  private static @Nullable Object setPresence(Element element, String content, boolean present) {
    if (present) {
      element.setAttribute(content, "");
    } else {
      element.removeAttribute(content);
    }
    return null;
  }

  /** Returns the URL in an attribute: absolute if it can be parsed, else unchanged. */
  static String url(Element element, String content) {
    String raw = element.attribute(content);
    if (raw == null) {
      return "";
    }
    UrlRecord url = element.document().encodingParse(raw);
    return url == null ? raw : url.href();
  }
}
