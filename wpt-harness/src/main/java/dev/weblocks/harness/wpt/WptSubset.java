package dev.weblocks.harness.wpt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory {@code wpt-subset}: the pin, the hashes of the files and the expectations. Also
 * reads the files that {@code scripts/fetch-wpt} writes into a WPT directory: hashes accepted from
 * another source, and names of files missing from the source.
 */
public final class WptSubset {

  private static final String HASH_FILE = "hashes.sha256";

  private final Path directory;

  /** Creates the subset described in a directory, which need not exist. */
  public WptSubset(Path directory) {
    this.directory = directory;
  }

  /** Returns the directory of the expectations. */
  public Path expectations() {
    return directory.resolve("expectations");
  }

  /** Returns the pinned upstream commit; empty if there is no pin. */
  public Optional<String> commit() throws IOException {
    Path pin = directory.resolve("pin");
    if (!Files.isRegularFile(pin)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(pin)) {
      return lines
          .filter(line -> line.matches("\\s*commit\\s*=.*"))
          .map(line -> line.substring(line.indexOf('=') + 1).strip())
          .findFirst();
    }
  }

  /** Returns whether there are hashes to compare with. */
  public boolean hasHashes() {
    return Files.isRegularFile(directory.resolve(HASH_FILE));
  }

  /** Returns the files that have hashes, as paths from the WPT root without leading slash. */
  public Set<String> files() throws IOException {
    return readHashes(directory.resolve(HASH_FILE), new HashMap<>()).keySet();
  }

  /**
   * Returns the files of a WPT directory that are missing or differ from every accepted hash,
   * sorted. Each is preceded by the word {@code missing} or {@code differs}.
   */
  public List<String> damagedFiles(Path wpt) throws IOException {
    Map<String, Set<String>> accepted = new HashMap<>();
    Set<String> required = readHashes(directory.resolve(HASH_FILE), accepted).keySet();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().matches("hashes\\..+\\.sha256")) {
          readHashes(file, accepted);
        }
      }
    }
    Path ofSource = wpt.resolve(".weblocks/accepted.sha256");
    if (Files.isRegularFile(ofSource)) {
      readHashes(ofSource, accepted);
    }
    Path gapsFile = wpt.resolve(".weblocks/gaps");
    Set<String> gaps =
        Files.isRegularFile(gapsFile) ? new HashSet<>(Files.readAllLines(gapsFile)) : Set.of();
    try (Stream<String> paths = List.copyOf(required).parallelStream()) {
      return paths
          .flatMap(path -> damage(wpt.resolve(path), path, accepted.getOrDefault(path, Set.of())))
          .filter(damage -> !gaps.contains(damage))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Stream<String> damage(Path file, String path, Set<String> accepted) {
    if (!Files.isRegularFile(file)) {
      return Stream.of("missing: " + path);
    }
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return accepted.contains(HexFormat.of().formatHex(hash))
          ? Stream.empty()
          : Stream.of("differs: " + path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM lacks SHA-256", e);
    }
  }

  /** Adds the hashes of one file, in the format of sha256sum. Returns the hashes of that file. */
  private static Map<String, String> readHashes(Path file, Map<String, Set<String>> accepted)
      throws IOException {
    Map<String, String> own = new HashMap<>();
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    for (String line : lines) {
      if (!line.matches("[0-9a-f]{64} [ *].+")) {
        throw new IOException(file + ": '" + Texts.shorten(line) + "' is not a hash and a path");
      }
      String path = line.substring(66);
      own.put(path, line.substring(0, 64));
      accepted.computeIfAbsent(path, key -> new HashSet<>()).add(line.substring(0, 64));
    }
    return own;
  }
}
