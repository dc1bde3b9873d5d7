package dev.weblocks.harness.wpt.expect;

import dev.weblocks.harness.wpt.HarnessStatus;
import dev.weblocks.harness.wpt.SubtestStatus;
import dev.weblocks.harness.wpt.expect.Expectations.MalformedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One file of expectations.
 *
 * @param source path of the WPT file that the expectations are for, with leading slash
 * @param tests expectations by test id, or by {@link #ALL}, in the order of the file
 */
record ExpectationFile(
    Path path, String source, Map<String, TestEntry> tests, Map<String, Place> places) {

  /** The key for all tests of the source without their own entry. */
  static final String ALL = "*";

  private static final String SUFFIX = ".json";
  private static final Set<String> OTHERS =
      Set.of(Reasons.FILE, "schema.json", "reasons.schema.json");
  private static final EnumSet<HarnessStatus> SUCCESS =
      EnumSet.of(HarnessStatus.OK, HarnessStatus.PASS);

  static Path pathOf(Path directory, String source) {
    return directory.resolve(source.substring(1) + SUFFIX);
  }

  static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .filter(file ->
              !directory.equals(file.getParent())
                  || !OTHERS.contains(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  static ExpectationFile readOrEmpty(Path directory, String source, Reasons reasons)
      throws IOException, MalformedException {
    Path file = pathOf(directory, source);
    return Files.exists(file)
        ? read(directory, file, reasons, true)
        : new ExpectationFile(file, source, Map.of(), Map.of());
  }

  static ExpectationFile read(Path directory, Path file, Reasons reasons, boolean drafts)
      throws IOException, MalformedException {
    StringBuilder source = new StringBuilder();
    directory.relativize(file).forEach(part -> source.append('/').append(part));
    source.setLength(source.length() - SUFFIX.length());
    Json.Obj object = Json.read(file);
    if (object.members().isEmpty()) {
      throw object.place().error("the file has no entries: delete it");
    }
    Map<String, TestEntry> tests = new LinkedHashMap<>();
    Map<String, Place> places = new LinkedHashMap<>();
    for (Map.Entry<String, Json.Member> member : object.members().entrySet()) {
      String id = member.getKey();
      Place place = member.getValue().keyPlace();
      if (!id.equals(ALL) && !id.startsWith("/")) {
        throw place.error("the key " + Quotes.quote(id) + " is neither a test's id nor '*'");
      }
      TestEntry test = new Reader(reasons, drafts).test(id, member.getValue().value());
      if (test.isEmpty() && (id.equals(ALL) || !object.members().containsKey(ALL))) {
        throw place.error(
            Quotes.quote(id) + " is empty, and there is no '*' to override: delete it");
      }
      tests.put(id, test);
      places.put(id, place);
    }
    return new ExpectationFile(file, source.toString(), tests, places);
  }

  TestEntry of(String id) {
    return tests.getOrDefault(id, tests.getOrDefault(ALL, TestEntry.NOTHING));
  }

  private record Reader(Reasons reasons, boolean drafts) {

    private static final Set<String> WITH_STATUS = Set.of("statuses", "because", "reason", "link");

    TestEntry test(String id, Json json) throws MalformedException {
      Json.Obj object = json.object(Quotes.quote(id));
      object.requireKeys(Set.of("status", "statuses", "because", "reason", "link", "subtests"));
      Optional<Entry<HarnessStatus>> whole = Optional.empty();
      if (object.members().containsKey("status")) {
        whole = Optional.of(entry(object, HarnessStatus.class, SUCCESS));
      } else {
        for (Map.Entry<String, Json.Member> member : object.members().entrySet()) {
          if (WITH_STATUS.contains(member.getKey())) {
            throw member
                .getValue()
                .keyPlace()
                .error("'" + member.getKey() + "' needs a status beside it");
          }
        }
      }
      Map<String, Entry<SubtestStatus>> subtests = new LinkedHashMap<>();
      Json.Member member = object.members().get("subtests");
      if (member != null) {
        if (whole.isPresent() && whole.get().isSkip()) {
          throw member.keyPlace().error("a skipped test has no subtests: leave them out");
        }
        Json.Obj named = member.value().object("subtests");
        if (named.members().isEmpty()) {
          throw named.place().error("subtests is empty");
        }
        for (Map.Entry<String, Json.Member> subtest : named.members().entrySet()) {
          Json.Obj value = subtest.getValue().value().object(Quotes.quote(subtest.getKey()));
          value.requireKeys(Set.of("status", "statuses", "because", "reason", "link"));
          subtests.put(
              subtest.getKey(), entry(value, SubtestStatus.class, EnumSet.of(SubtestStatus.PASS)));
        }
      }
      return new TestEntry(whole, subtests);
    }

    private <S extends Enum<S>> Entry<S> entry(Json.Obj object, Class<S> type, EnumSet<S> success)
        throws MalformedException {
      List<String> known = new ArrayList<>();
      EnumSet.complementOf(success).forEach(status -> known.add(status.name()));
      known.addAll(List.of(Entry.FLAKY, Entry.SKIP));
      Json.Member member = object.members().get("status");
      if (member == null) {
        throw object.place().error("the status is missing: " + Quotes.list(known) + " is needed");
      }
      String status = member.value().text("status");
      if (!known.contains(status)) {
        throw wrong("status", member.value(), status, known);
      }
      Json.Member several = object.members().get("statuses");
      if (status.equals(Entry.FLAKY)) {
        return new Entry<>(status, statuses(several, object, type), because(object));
      }
      if (several != null) {
        throw several.keyPlace().error("'statuses' is only for the status FLAKY");
      }
      return new Entry<>(
          status,
          status.equals(Entry.SKIP) ? List.of() : List.of(Enum.valueOf(type, status)),
          because(object));
    }

    private static <S extends Enum<S>> List<S> statuses(
        Json.@Nullable Member member, Json.Obj object, Class<S> type) throws MalformedException {
      if (member == null) {
        throw object.place().error("FLAKY needs 'statuses', a list of the expected statuses");
      }
      if (!(member.value() instanceof Json.Array array)) {
        throw member
            .value()
            .place()
            .error("statuses is " + member.value().shown() + ": a list is needed");
      }
      List<String> known = Stream.of(type.getEnumConstants()).map(Enum::name).toList();
      List<S> statuses = new ArrayList<>();
      for (Json item : array.items()) {
        String status = item.text("one of the statuses");
        if (!known.contains(status)) {
          throw wrong("one of the statuses", item, status, known);
        }
        S value = Enum.valueOf(type, status);
        if (statuses.contains(value)) {
          throw item.place().error("the status " + status + " is given twice");
        }
        statuses.add(value);
      }
      if (statuses.size() < 2) {
        throw array.place().error("statuses needs at least two statuses");
      }
      return statuses;
    }

    private static MalformedException wrong(
        String what, Json json, String status, List<String> known) {
      return json.place()
          .error(what + " is " + Quotes.quote(status) + ": " + Quotes.list(known) + " is needed");
    }

    private Because because(Json.Obj object) throws MalformedException {
      Json.Member name = object.members().get("because");
      Json.Member text = object.members().get("reason");
      Json.Member link = object.members().get("link");
      if (name == null) {
        if (text == null && link == null) {
          throw object.place().error("the reason is missing: " + HINT);
        }
        return new Because.Inline(Reasons.of(object));
      }
      Json.Member other = text != null ? text : link;
      if (other != null) {
        throw other
            .keyPlace()
            .error("'because' is given too: use either 'because', or 'reason' and 'link'");
      }
      String value = name.value().text("because");
      if (!value.isBlank()) {
        reasons.requireName(value, name.value().place());
        return new Because.Named(value);
      }
      if (!drafts) {
        throw name.value().place().error("the reason is empty: " + HINT);
      }
      return Because.OPEN;
    }

    private static final String HINT =
        "use 'because' with a name of " + Reasons.FILE + ", or 'reason' and 'link'";
  }
}
