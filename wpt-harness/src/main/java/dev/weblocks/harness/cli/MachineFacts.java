package dev.weblocks.harness.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The facts about the machine by the keys and values of Python's mozinfo, which wptrunner uses. */
final class MachineFacts {

  private static final Pattern LINE = Pattern.compile("([A-Z_]+)=\"?([^\"]*)\"?");
  private static final Pattern WORD = Pattern.compile("(\\p{L})(\\p{L}*)");

  private MachineFacts() {}

  /**
   * Returns the facts; without those that are unknown.
   *
   * @param property returns a system property; null or empty if unknown
   * @param osRelease the file that names the distribution of Linux, as {@code /etc/os-release}
   */
  static Map<String, String> of(Function<String, @Nullable String> property, Path osRelease) {
    String name = text(property.apply("os.name")).toLowerCase(Locale.ROOT);
    String os = name.startsWith("mac") ? "mac" : name.startsWith("windows") ? "win" : name;
    String release = text(property.apply("os.version"));
    String arch = text(property.apply("os.arch"));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("os", os);
    String version = release;
    if (os.equals("linux")) {
      Map<String, String> distribution = distribution(osRelease);
      String distro =
          distribution.containsKey("NAME") ? titleCased(distribution.get("NAME")) : "lfs";
      release = distribution.getOrDefault("VERSION_ID", release);
      version = distro + " " + release;
      facts.put("linux_distro", distro);
    } else if (os.equals("mac") && !release.isEmpty()) {
      String[] parts = release.split("\\.", -1);
      version = "OS X " + release;
      // mozinfo fills the second part to two characters
      release =
          parts[0]
              + "."
              + (parts.length == 1
                  ? "00"
                  : (parts[1] + "0").substring(0, Math.max(2, parts[1].length())));
    }
    facts.put("os_version", release);
    facts.put("version", version);
    String processor = arch.equals("amd64") ? "x86_64" : arch;
    facts.put("processor", processor);
    facts.put("arch", processor);
    facts.put("bits", text(property.apply("sun.arch.data.model")));
    facts.put("is_ubuntu", String.valueOf(version.contains("Ubuntu")));
    facts.put("apple_silicon", String.valueOf(os.equals("mac") && arch.equals("aarch64")));
    facts.values().removeIf(String::isEmpty);
    return facts;
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }

  private static Map<String, String> distribution(Path osRelease) {
    List<String> lines;
    try {
      lines = Files.readAllLines(osRelease);
    } catch (IOException e) {
      return Map.of(); // another kind of Linux
    }
    return lines.stream()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2), (a, b) -> b));
  }

  /** Returns a text as Python's {@code str.title()} does. */
  private static String titleCased(String text) {
    return WORD.matcher(text)
        .replaceAll(word ->
            word.group(1).toUpperCase(Locale.ROOT) + word.group(2).toLowerCase(Locale.ROOT));
  }
}
