package dev.weblocks.harness.wpt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code // META: key=value} lines at the beginning of a script test. They end before the first
 * other line.
 *
 * @param entries in the order of the file
 */
record TestMetadata(List<Map.Entry<String, String>> entries) {

  private static final Pattern LINE = Pattern.compile("//\\s*META:\\s*(\\w*)=(.*)");

  TestMetadata {
    entries = List.copyOf(entries);
  }

  static TestMetadata parse(byte[] source) {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    for (String line : new String(source, StandardCharsets.UTF_8).split("\r?\n", -1)) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        break;
      }
      entries.add(Map.entry(matcher.group(1), matcher.group(2)));
    }
    return new TestMetadata(entries);
  }

  List<String> all(String key) {
    return entries.stream().filter(e -> e.getKey().equals(key)).map(Map.Entry::getValue).toList();
  }

  Optional<String> first(String key) {
    return all(key).stream().findFirst();
  }

  TestTimeout timeout() {
    return all("timeout").contains("long") ? TestTimeout.LONG : TestTimeout.NORMAL;
  }

  /** Returns the scopes of a {@code .any.js} file. Only the first {@code global} line counts. */
  Set<TestKind> globals() {
    return TestKind.parseGlobals(first("global").orElse(""));
  }

  /** Returns the suffixes of the variants' URLs; one empty suffix if the file names none. */
  List<String> variants() {
    List<String> variants = all("variant");
    return variants.isEmpty() ? List.of("") : variants;
  }
}
