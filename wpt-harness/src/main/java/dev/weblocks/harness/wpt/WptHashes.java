package dev.weblocks.harness.wpt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The SHA-256 hashes of the WPT files that Weblocks uses, and their comparison with a directory.
 * {@code scripts/fetch-wpt} runs this file from source before the build, so it needs only the JDK.
 */
final class WptHashes {

  private static final String BASE = "hashes.sha256";

  /**
   * The source that {@code fetch-wpt} records for files from a WPT checkout; also assumed if no
   * source is recorded. Files from it may have the hash of any source.
   */
  private static final String ANY_SOURCE = "checkout";

  /**
   * A file of a WPT directory that is not as pinned.
   *
   * @param path relative to the WPT root
   * @param how {@code missing}; {@code differs}; or {@code added}, for a file that is not pinned
   * @param accepted whether the deviation was accepted when the directory was fetched
   */
  record Deviation(String path, String how, boolean accepted) {

    /** Returns the deviation as {@code fetch-wpt} prints it. */
    @Override
    public String toString() {
      return (accepted ? "accepted, " : "") + how + ": " + path;
    }
  }

  private final Path subset;

  /** Creates an instance for the hash lists of a directory, which need not exist. */
  WptHashes(Path subset) {
    this.subset = subset;
  }

  /** Returns whether there is a hash list. */
  boolean exist() {
    return Files.isRegularFile(subset.resolve(BASE));
  }

  /** Returns the paths of the pinned files, relative to the WPT root, in the order of the list. */
  Set<String> paths() throws IOException {
    return read(subset.resolve(BASE)).keySet();
  }

  /**
   * Returns the deviations of a WPT directory, in the order of the list. The valid hashes depend on
   * the source that {@code fetch-wpt} recorded in the directory.
   */
  List<Deviation> compare(Path wpt) throws IOException {
    Map<String, Set<String>> pinned = pinned(source(wpt));
    Path acceptedList = wpt.resolve(".weblocks/accepted.sha256");
    Map<String, String> accepted =
        Files.isRegularFile(acceptedList) ? read(acceptedList) : Map.of();
    Set<String> gaps = Set.copyOf(recorded(wpt, "gaps"));
    try (Stream<String> paths = List.copyOf(pinned.keySet()).parallelStream()) {
      Stream<Deviation> ofPinned =
          paths.flatMap(path -> {
            try {
              Path file = wpt.resolve(path);
              if (!Files.isRegularFile(file)) {
                return Stream.of(new Deviation(path, "missing", gaps.contains("missing: " + path)));
              }
              String hash = hash(file);
              return pinned.getOrDefault(path, Set.of()).contains(hash)
                  ? Stream.empty()
                  : Stream.of(new Deviation(path, "differs", hash.equals(accepted.get(path))));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      return Stream.concat(ofPinned, added(wpt, pinned.keySet()).stream()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the files of a fetched directory that are not pinned; a checkout has many such. */
  private static List<Deviation> added(Path wpt, Set<String> pinned) throws IOException {
    if (recorded(wpt, "stamp").isEmpty()) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(wpt)) {
      return files
          .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> wpt.relativize(file).toString().replace('\\', '/'))
          .filter(path -> !path.startsWith(".weblocks/") && !pinned.contains(path))
          .filter(path -> !path.endsWith(".pyc") && !path.endsWith(".DS_Store")) // of other tools
          .map(path -> new Deviation(path, "added", false))
          .sorted(Comparator.comparing(Deviation::path))
          .toList();
    }
  }

  /** Returns the valid hashes of each pinned file, for a directory fetched from a source. */
  private Map<String, Set<String>> pinned(String source) throws IOException {
    Map<String, Set<String>> pinned = new LinkedHashMap<>();
    read(subset.resolve(BASE))
        .forEach((path, hash) -> pinned.put(path, new HashSet<>(Set.of(hash))));
    boolean any = source.equals(ANY_SOURCE);
    try (Stream<Path> files = Files.list(subset)) {
      for (Path list : files.toList()) {
        String name = list.getFileName().toString();
        if (any && name.matches("hashes\\..+\\.sha256")) {
          read(list).forEach((path, hash) -> pinned.getOrDefault(path, new HashSet<>()).add(hash));
        } else if (name.equals("hashes." + source + ".sha256")) {
          read(list).forEach((path, hash) -> pinned.replace(path, Set.of(hash)));
        }
      }
    }
    return pinned;
  }

  private static String source(Path wpt) throws IOException {
    return recorded(wpt, "stamp").stream()
        .filter(line -> line.startsWith("source "))
        .map(line -> line.substring("source ".length()))
        .findFirst()
        .orElse(ANY_SOURCE);
  }

  /** Returns the lines of a file that fetch-wpt wrote into a WPT directory; empty if missing. */
  private static List<String> recorded(Path wpt, String name) throws IOException {
    Path file = wpt.resolve(".weblocks").resolve(name);
    return Files.isRegularFile(file) ? lines(file) : List.of();
  }

  /** Reads a hash list in the format of sha256sum. Returns the hash of each path. */
  private static Map<String, String> read(Path list) throws IOException {
    Map<String, String> hashes = new LinkedHashMap<>();
    for (String line : lines(list)) {
      if (!line.matches("[0-9a-f]{64} [ *].+")) {
        String start = line.substring(0, Math.min(200, line.length()));
        throw new IOException(list + ": '" + start + "' is not a hash and a path");
      }
      hashes.put(line.substring(66), line.substring(0, 64));
    }
    return hashes;
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not UTF-8 text", e);
    }
  }

  /** Returns the SHA-256 of a file in hexadecimal, as {@code sha256sum} prints it. */
  private static String hash(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM lacks SHA-256", e);
    }
  }

  /**
   * Runs a command of {@code scripts/fetch-wpt}. {@code compare SUBSET WPT} prints each deviation
   * of a WPT directory. {@code hash WPT} reads paths from standard input and prints their hash
   * list. Exits with 2 and one line on standard error if a file cannot be read.
   */
  public static void main(String[] arguments) {
    StringBuilder output = new StringBuilder();
    try {
      switch (arguments[0]) {
        case "compare" ->
            new WptHashes(Path.of(arguments[1]))
                .compare(Path.of(arguments[2]))
                .forEach(deviation -> output.append(deviation).append('\n'));
        case "hash" -> {
          for (String path : new String(System.in.readAllBytes(), UTF_8).lines().toList()) {
            String hash = hash(Path.of(arguments[1], path));
            output.append(hash).append("  ").append(path).append('\n');
          }
        }
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    } catch (IOException | InvalidPathException e) {
      System.err.println("fetch-wpt: " + text(e));
      System.exit(2);
    }
    byte[] bytes = output.toString().getBytes(UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }

  private static String text(Exception problem) {
    return problem instanceof FileSystemException e && e.getReason() == null
        ? e.getFile() + (e instanceof NoSuchFileException ? " does not exist" : " cannot be read")
        : String.valueOf(problem.getMessage());
  }
}
