package dev.weblocks.harness.wpt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory {@code wpt-subset}: the pinned commit of WPT, its file hashes, the expectations.
 */
public final class WptSubset {

  private final Path directory;
  private final WptHashes hashes;

  /** Creates the subset described in a directory, which need not exist. */
  public WptSubset(Path directory) {
    this.directory = directory;
    this.hashes = new WptHashes(directory);
  }

  /** Returns the directory of the expectations. */
  public Path expectations() {
    return directory.resolve("expectations");
  }

  /** Returns the pinned upstream commit; empty if none is pinned. */
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
    return hashes.exist();
  }

  /** Returns the files that have hashes, as paths from the WPT root without leading slash. */
  public Set<String> files() throws IOException {
    return hashes.paths();
  }

  /**
   * Returns the files of a WPT directory that are missing or differ from every accepted hash, in
   * the order of the hash list, then those that {@code fetch-wpt} did not put there. Each text
   * begins with {@code missing:}, {@code differs:} or {@code added:}.
   */
  public List<String> damagedFiles(Path wpt) throws IOException {
    return hashes.compare(wpt).stream()
        .filter(deviation -> !deviation.accepted())
        .map(WptHashes.Deviation::toString)
        .toList();
  }
}
