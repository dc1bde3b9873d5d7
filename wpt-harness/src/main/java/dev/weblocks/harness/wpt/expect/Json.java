package dev.weblocks.harness.wpt.expect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weblocks.file.RegularFile;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.JsonProblem;
import dev.weblocks.harness.wpt.expect.Expectations.MalformedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A JSON value with its place in the file, for error messages. */
sealed interface Json {

  Place place();

  String shown();

  record Obj(Place place, Map<String, Member> members) implements Json {
    @Override
    public String shown() {
      return "an object";
    }

    void requireKeys(Set<String> known) throws MalformedException {
      for (Map.Entry<String, Member> member : members.entrySet()) {
        if (!known.contains(member.getKey())) {
          throw member
              .getValue()
              .keyPlace()
              .error(
                  "unknown key "
                      + Quotes.quote(member.getKey())
                      + ": use "
                      + Quotes.list(known.stream().sorted().toList()));
        }
      }
    }
  }

  record Member(Place keyPlace, Json value) {}

  record Array(Place place, List<Json> items) implements Json {
    @Override
    public String shown() {
      return "a list";
    }
  }

  record Text(Place place, String value) implements Json {
    @Override
    public String shown() {
      return Quotes.quote(value);
    }
  }

  /** A number, {@code true}, {@code false} or {@code null}. */
  record Other(Place place, String shown) implements Json {}

  default Obj object(String what) throws MalformedException {
    if (this instanceof Obj object) {
      return object;
    }
    throw place().error(what + " is " + shown() + ": an object is needed");
  }

  default String text(String what) throws MalformedException {
    if (this instanceof Text text) {
      return text.value();
    }
    throw place().error(what + " is " + shown() + ": a string is needed");
  }

  static Obj read(Path file) throws MalformedException, IOException {
    if (Files.isDirectory(file)) {
      throw new MalformedException(file + " is a directory: a file is needed");
    }
    String text;
    try {
      text = decode(file, RegularFile.read(file, RegularFile.MAX_TEXT));
    } catch (FileSystemException e) {
      throw new MalformedException(file + " cannot be read: " + IoProblem.text(e));
    }
    if (text.startsWith("\ufeff")) {
      throw new Place(file, 1, 1)
          .error("the file begins with a byte order mark: save it without one");
    }
    if (text.isBlank()) {
      throw new Place(file, 1, 1).error("the file is empty: an object is needed");
    }
    // As text, because Jackson refuses lone surrogates in keys when it reads bytes.
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      Json json = read(parser, parser.nextToken(), file);
      if (parser.nextToken() != null) {
        throw placeOf(file, parser.currentTokenLocation())
            .error("unexpected text after the end of the object");
      }
      return json.object("the file");
    } catch (JsonProcessingException e) {
      throw placeOf(file, e.getLocation()).error(JsonProblem.text(e));
    }
  }

  private static Json read(JsonParser parser, JsonToken token, Path file)
      throws IOException, MalformedException {
    Place place = placeOf(file, parser.currentTokenLocation());
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Member> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          Place keyPlace = placeOf(file, parser.currentTokenLocation());
          Member before = members.get(key);
          if (before != null) {
            throw keyPlace.error(
                "the key %s is given twice, first on line %s"
                    .formatted(Quotes.quote(key), before.keyPlace().line()));
          }
          members.put(key, new Member(keyPlace, read(parser, parser.nextToken(), file)));
        }
        yield new Obj(place, members);
      }
      case START_ARRAY -> {
        List<Json> items = new ArrayList<>();
        for (JsonToken item = parser.nextToken();
            item != JsonToken.END_ARRAY;
            item = parser.nextToken()) {
          items.add(read(parser, item, file));
        }
        yield new Array(place, items);
      }
      case VALUE_STRING -> new Text(place, parser.getText());
      default -> new Other(place, parser.getText());
    };
  }

  private static Place placeOf(Path file, JsonLocation location) {
    return location == null
        ? new Place(file, 1, 1)
        : new Place(file, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  private static String decode(Path file, byte[] bytes) throws MalformedException {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    CoderResult end = decoder.decode(in, out, true);
    out.flip();
    if (end.isError()) {
      String good = out.toString();
      int line = (int) good.chars().filter(c -> c == '\n').count() + 1;
      throw new Place(file, line, good.length() - good.lastIndexOf('\n'))
          .error("the byte 0x%02x is not UTF-8".formatted(bytes[in.position()]));
    }
    return out.toString();
  }
}
