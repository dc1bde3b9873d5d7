package dev.weblocks.fetch;

import dev.weblocks.agent.Realm;
import dev.weblocks.binding.Arguments;
import dev.weblocks.binding.Implementations;
import dev.weblocks.binding.Pair;
import dev.weblocks.binding.PlatformObject;
import dev.weblocks.binding.ScriptException;
import dev.weblocks.file.Blob;
import dev.weblocks.file.ByteSequence;
import dev.weblocks.file.File;
import dev.weblocks.url.FormUrlEncoded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code FormData} interface. It is in this package since forms can be sent as bodies, and
 * bodies can be parsed as forms.
 *
 * @see <a href="https://xhr.spec.whatwg.org/#interface-formdata">XMLHttpRequest Standard</a>
 */
final class FormData extends PlatformObject {

  /**
   * An <a href="https://xhr.spec.whatwg.org/#concept-formdata-entry">entry</a>.
   *
   * @param value a {@link String} or a {@link File}
   */
  private record Entry(String name, Object value) {}

  private List<Entry> entries = new ArrayList<>();

  private FormData(Realm realm) {
    super(realm);
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-formdata">FormData()</a> */
  private static FormData construct(Realm realm, Arguments args) {
    if (args.isPresent(0)) {
      throw ScriptException.typeError(
          "Failed to construct 'FormData': parameter 1 ('form') is not of type 'HTMLFormElement'");
    }
    return new FormData(realm);
  }

  /**
   * Returns the form as a body; the type of the body contains the boundary.
   *
   * @see <a
   *     href="https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart/form-data-encoding-algorithm">multipart/form-data
   *     encoding algorithm</a>
   */
  Body.WithType encode() {
    String boundary =
        "----WeblocksFormBoundary"
            + realm().agent().userAgent().ids().nextUuid().replace("-", "").substring(0, 16);
    List<ByteSequence> parts = new ArrayList<>();
    for (Entry entry : entries) {
      StringBuilder head = new StringBuilder("--").append(boundary);
      head.append("\r\nContent-Disposition: form-data; name=\"");
      head.append(Multipart.escape(Multipart.withCrlf(entry.name))).append('"');
      if (entry.value instanceof File file) {
        head.append("; filename=\"").append(Multipart.escape(file.name()));
        head.append("\"\r\nContent-Type: ");
        head.append(file.type().isEmpty() ? "application/octet-stream" : file.type());
        head.append("\r\n\r\n");
        parts.add(ByteSequence.utf8Encode(head.toString()));
        parts.add(file.bytes());
        parts.add(ByteSequence.utf8Encode("\r\n"));
      } else {
        head.append("\r\n\r\n").append(Multipart.withCrlf((String) entry.value)).append("\r\n");
        parts.add(ByteSequence.utf8Encode(head.toString()));
      }
    }
    parts.add(ByteSequence.utf8Encode("--" + boundary + "--\r\n"));
    return new Body.WithType(concatenate(parts), "multipart/form-data; boundary=" + boundary);
  }

  private static ByteSequence concatenate(List<ByteSequence> parts) {
    try {
      return ByteSequence.concatenate(parts);
    } catch (IllegalArgumentException tooLong) {
      throw ScriptException.rangeError(
          "The form would exceed " + ByteSequence.MAX_SIZE + " bytes as a body.");
    }
  }

  /**
   * Parses a body of the given type as a form; returns null if the body is not a form.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#dom-body-formdata">formData()</a>
   */
  static @Nullable FormData parse(Realm realm, MimeType type, ByteSequence bytes) {
    FormData form = new FormData(realm);
    switch (type.essence()) {
      case "multipart/form-data" -> {
        String boundary = type.parameters().get("boundary");
        List<Multipart.Part> parts = boundary == null ? null : Multipart.parse(bytes, boundary);
        if (parts == null) {
          return null;
        }
        for (Multipart.Part part : parts) {
          form.entries.add(
              new Entry(
                  part.name(),
                  part.filename() == null
                      ? part.body().utf8DecodeWithoutBom()
                      : File.of(realm, part.body(), part.filename(), part.type())));
        }
      }
      case "application/x-www-form-urlencoded" -> {
        for (FormUrlEncoded.Entry each : FormUrlEncoded.parse(bytes.utf8DecodeWithoutBom())) {
          form.entries.add(new Entry(each.name(), each.value()));
        }
      }
      default -> {
        return null;
      }
    }
    return form;
  }

  /**
   * <a
   * href="https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#create-an-entry">create
   * an entry</a>
   */
  private Entry createEntry(Arguments args) {
    String name = args.string(0); // 1
    if (args.overload() == 0) { // 2
      return new Entry(name, args.string(1));
    }
    Blob blob = args.object(1, Blob.class);
    File file =
        blob instanceof File already
            ? already
            : File.of(realm(), blob.bytes(), "blob", blob.type()); // 3.1
    return new Entry(name, args.isPresent(2) ? file.withName(args.string(2)) : file); // 3.2
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-formdata-set">set()</a> */
  private void set(Arguments args) {
    Entry made = createEntry(args); // 2
    List<Entry> changed = new ArrayList<>();
    boolean isSet = false;
    for (Entry each : entries) {
      if (!each.name.equals(made.name)) {
        changed.add(each);
      } else if (!isSet) { // 3
        changed.add(made);
        isSet = true;
      }
    }
    if (!isSet) { // 4
      changed.add(made);
    }
    entries = changed;
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-formdata-getall">getAll()</a> */
  private List<Object> getAll(String name) {
    return entries.stream().filter(each -> each.name.equals(name)).map(Entry::value).toList();
  }

  /** <a href="https://xhr.spec.whatwg.org/#dom-formdata-get">get()</a> */
  private @Nullable Object get(String name) {
    List<Object> all = getAll(name);
    return all.isEmpty() ? null : all.getFirst();
  }

  static void define(Implementations implementations) {
    implementations
        .implement("FormData", FormData.class)
        .constructor(FormData::construct)
        .action("append", (form, args) -> form.entries.add(form.createEntry(args)))
        .action(
            "delete",
            (form, args) -> {
              String name = args.string(0);
              form.entries.removeIf(each -> each.name.equals(name));
            })
        .operation("get", (form, args) -> form.get(args.string(0)))
        .operation("getAll", (form, args) -> form.getAll(args.string(0)))
        .operation("has", (form, args) -> !form.getAll(args.string(0)).isEmpty())
        .action("set", FormData::set)
        .pairs(form -> form.entries, each -> new Pair(each.name, each.value));
  }
}
