package dev.weblocks.harness.wpt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of response headers in files beside a resource: {@code __dir__.headers} for a directory
 * and {@code NAME.headers} for one file; or, with placeholders, {@code .sub.headers}.
 */
final class HeaderFiles {

  private final WptFiles files;
  private final Substitution substitution;

  HeaderFiles(WptFiles files, Substitution substitution) {
    this.files = files;
    this.substitution = substitution;
  }

  /** Returns the headers for a path: first those of the directory, then those of the file. */
  List<Map.Entry<String, String>> of(
      String path, RequestUrl url, Map<String, String> requestHeaders)
      throws IOException, ServerFailure {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    String directory = path.substring(0, path.lastIndexOf('/') + 1);
    for (String base : List.of(directory + "__dir__", path)) {
      Optional<byte[]> content = files.read(base + ".sub.headers");
      if (content.isPresent()) {
        byte[] filled =
            substitution.apply(content.get(), url, requestHeaders, Substitution.Escape.NONE);
        headers.addAll(parse(base + ".sub.headers", filled));
      } else {
        content = files.read(base + ".headers");
        if (content.isPresent()) {
          headers.addAll(parse(base + ".headers", content.get()));
        }
      }
    }
    return headers;
  }

  private static List<Map.Entry<String, String>> parse(String file, byte[] content)
      throws ServerFailure {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (String line : new String(content, StandardCharsets.ISO_8859_1).split("\r?\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.add(Map.entry(line.substring(0, colon).strip(), line.substring(colon + 1).strip()));
      } else if (!line.isBlank()) {
        throw new ServerFailure(500, file + ": '" + line + "' is not a header");
      }
    }
    return headers;
  }
}
