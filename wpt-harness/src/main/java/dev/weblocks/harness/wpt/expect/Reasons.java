package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.EditDistance;
import dev.weblocks.harness.wpt.expect.Expectations.MalformedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The named reasons: the file {@code reasons.json} of a directory of expectations.
 *
 * @param byName in the order of the file
 */
record Reasons(Map<String, Reason> byName, Map<String, Place> places) {

  static final String FILE = "reasons.json";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]++(?:-[a-z0-9]++)*+");
  private static final Pattern LINK =
      Pattern.compile("https://[^\\s/]++\\S*+|(?!/|.*\\.\\.)[\\w./-]+\\.md(#[\\w-]+)?");
  private static final int MAX_NEAR = 3;

  static Reasons read(Path directory) throws IOException, MalformedException {
    Map<String, Reason> byName = new LinkedHashMap<>();
    Map<String, Place> places = new LinkedHashMap<>();
    Path file = directory.resolve(FILE);
    if (Files.exists(file)) {
      for (Map.Entry<String, Json.Member> entry : Json.read(file).members().entrySet()) {
        String name = entry.getKey();
        Place place = entry.getValue().keyPlace();
        if (!NAME.matcher(name).matches()) {
          throw place.error(
              "the name "
                  + Quotes.quote(name)
                  + " is not made of words of lower-case letters and digits, joined by dashes");
        }
        Json.Obj reason = entry.getValue().value().object(Quotes.quote(name));
        reason.requireKeys(Set.of("reason", "link"));
        byName.put(name, of(reason));
        places.put(name, place);
      }
    }
    return new Reasons(byName, places);
  }

  static Reason of(Json.Obj object) throws MalformedException {
    Json.Member text = object.members().get("reason");
    Json.Member link = object.members().get("link");
    if (text == null || text.value().text("reason").isBlank()) {
      throw (text == null ? object.place() : text.value().place()).error("the reason is missing");
    }
    if (link == null) {
      throw object.place().error("the link of the reason is missing");
    }
    String target = link.value().text("link");
    if (!LINK.matcher(target).matches()) {
      throw link.value()
          .place()
          .error(
              "link is "
                  + Quotes.quote(target)
                  + ": an https URL is needed, or the path of a .md file from the repository's root");
    }
    return new Reason(text.value().text("reason"), target);
  }

  void requireName(String name, Place place) throws MalformedException {
    if (byName.containsKey(name)) {
      return;
    }
    int limit = Math.max(2, name.length() / 3);
    List<String> near =
        byName.keySet().stream()
            .filter(other -> EditDistance.between(name, other, limit) <= limit)
            .sorted(Comparator.comparingInt(other -> EditDistance.between(name, other, limit)))
            .limit(MAX_NEAR)
            .toList();
    throw place.error(
        "unknown reason "
            + Quotes.quote(name)
            + " in "
            + FILE
            + (near.isEmpty() ? "" : "; similar names: " + String.join(", ", near)));
  }

  Optional<Reason> resolve(Because because) {
    return switch (because) {
      case Because.Named named -> Optional.ofNullable(byName.get(named.name()));
      case Because.Inline inline -> Optional.of(inline.reason());
    };
  }

  List<String> unused(Set<String> used) {
    return byName.keySet().stream().filter(name -> !used.contains(name)).toList();
  }
}
