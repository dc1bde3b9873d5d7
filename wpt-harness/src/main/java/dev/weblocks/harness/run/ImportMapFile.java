package dev.weblocks.harness.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weblocks.harness.wpt.JsonProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * An import map in a file.
 *
 * @param path absolute; relative addresses in the map are relative to it
 * @param text JSON that {@link #of} has checked
 */
public record ImportMapFile(Path path, String text) {

  private static final Set<String> KEYS = Set.of("imports", "scopes", "integrity");

  /**
   * Checks a text. Warnings, such as about an unknown key, are left to the page that has the map.
   *
   * @throws IllegalArgumentException if it is not an import map; its message begins with the line
   *     and the column
   */
  public static ImportMapFile of(Path path, String text) {
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      parser.nextToken();
      requireObject(parser, "the map");
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String key = parser.currentName();
        parser.nextToken();
        if (KEYS.contains(key)) {
          requireObject(parser, "\"" + key + "\"");
        }
        if (key.equals("scopes")) {
          requireScopes(parser);
        } else {
          parser.skipChildren();
        }
      }
      if (parser.nextToken() != null) {
        throw wrong(parser.currentTokenLocation(), "text after the end of the map: leave it out");
      }
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation(); // null if a limit of the parser is exceeded
      throw wrong(
          at == null ? JsonLocation.NA : at,
          "not JSON: " + JsonProblem.text(e).replaceFirst(" \\(start marker at.*", ""));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new ImportMapFile(path, text);
  }

  private static void requireScopes(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String prefix = parser.currentName();
      parser.nextToken();
      requireObject(parser, "the scope \"" + prefix + "\"");
      parser.skipChildren();
    }
  }

  private static void requireObject(JsonParser parser, String what) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw wrong(parser.currentTokenLocation(), what + " is not an object");
    }
  }

  private static IllegalArgumentException wrong(JsonLocation at, String reason) {
    return new IllegalArgumentException(
        Math.max(1, at.getLineNr()) + ":" + Math.max(1, at.getColumnNr()) + ": " + reason);
  }
}
