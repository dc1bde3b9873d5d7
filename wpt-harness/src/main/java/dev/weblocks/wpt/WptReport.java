package dev.weblocks.wpt;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results in the format of wptrunner's {@code --log-wptreport}. {@code expected} stands only where
 * it differs from the status, {@code known_intermittent} has what is fine besides it; times are in
 * milliseconds since 1970, durations in milliseconds.
 */
public final class WptReport {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_LINKS = 40;

  private WptReport() {}

  /**
   * The report as JSON text, with a line end.
   *
   * @param runInfo facts about the run, besides the product's name
   */
  public static String write(
      List<TestResult> results,
      ExpectedStatuses expectations,
      Instant start,
      Instant end,
      Map<String, String> runInfo) {
    ObjectNode report = JSON.createObjectNode();
    ObjectNode info = report.putObject("run_info");
    info.put("product", "weblocks");
    runInfo.forEach(info::put);
    report.put("time_start", start.toEpochMilli());
    report.put("time_end", end.toEpochMilli());
    ArrayNode tests = report.putArray("results");
    for (TestResult result : results) {
      String id = result.test().id();
      ObjectNode test = tests.addObject();
      test.put("test", id);
      test.put("subsuite", "");
      putStatus(test, result.status(), expectations.expected(result.test()), result.message());
      test.put("duration", result.duration().toMillis());
      ArrayNode subtests = test.putArray("subtests");
      for (SubtestResult subtest : result.subtests()) {
        ObjectNode node = subtests.addObject();
        node.put("name", Texts.replaceLoneSurrogates(subtest.name()));
        List<SubtestStatus> expected = expectations.expected(result.test(), subtest.name());
        putStatus(node, subtest.status(), expected, subtest.message());
      }
    }
    report.putObject("subsuites");
    return report + "\n";
  }

  private static void putStatus(
      ObjectNode node, Enum<?> status, List<? extends Enum<?>> expected, @Nullable String message) {
    node.put("status", status.name());
    node.put("message", message == null ? null : Texts.replaceLoneSurrogates(message));
    if (expected.isEmpty()) { // nobody looks at it
      return;
    }
    if (status != expected.getFirst()) {
      node.put("expected", expected.getFirst().name());
    }
    if (expected.size() > 1) {
      ArrayNode others = node.putArray("known_intermittent");
      expected.subList(1, expected.size()).forEach(other -> others.add(other.name()));
    }
  }

  /**
   * Puts the text in place as a whole: whoever reads the file sees the old text or the new one.
   * Symbolic links stay and their target is written. What is no regular file (a device, a pipe)
   * stays too and is written to, and so is an open file of the process, such as {@code
   * /dev/stdout}.
   */
  public static void save(Path file, String report) throws IOException {
    byte[] bytes = report.getBytes(StandardCharsets.UTF_8);
    Path target = target(file);
    if (isStream(target)) {
      // Appending: a regular file behind a descriptor holds what was printed so far.
      Files.write(target, bytes, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      return;
    }
    Path temporary = createBeside(target);
    try {
      Files.write(temporary, bytes);
      try {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Where the links of a path lead; a descriptor of the process is followed no further. */
  private static Path target(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(target) && !isDescriptor(target); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(file.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  private static boolean isDescriptor(Path path) {
    Path plain = path.normalize();
    return plain.startsWith("/proc") || plain.startsWith("/dev/fd");
  }

  private static boolean isStream(Path target) {
    return Files.exists(target) && (isDescriptor(target) || !Files.isRegularFile(target));
  }

  /** Makes an empty file with the permissions of the target or, without one, of any new file. */
  private static Path createBeside(Path target) throws IOException {
    for (int i = 0; ; i++) {
      Path candidate = target.resolveSibling("." + target.getFileName() + "." + i + ".part");
      try {
        Files.createFile(candidate);
      } catch (FileAlreadyExistsException e) {
        continue; // another run's
      }
      PosixFileAttributeView old = attributes(target);
      PosixFileAttributeView own = attributes(candidate);
      if (Files.exists(target) && old != null && own != null) {
        own.setPermissions(old.readAttributes().permissions());
      }
      return candidate;
    }
  }

  private static @Nullable PosixFileAttributeView attributes(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /**
   * Finds out whether {@link #save} can work, leaving no trace.
   *
   * @throws IOException saying what stands in the way
   */
  public static void requireWritable(Path file) throws IOException {
    Path target = target(file);
    Path directory = target.getParent();
    if (Files.isDirectory(target) || directory == null) {
      throw new IOException(file + " is a directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new IOException("there is no directory " + directory);
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new IOException(file + " may not be written");
    }
    if (isStream(target)) {
      return;
    }
    try {
      Files.delete(Files.createTempFile(directory, ".weblocks", ".part"));
    } catch (IOException e) {
      throw new IOException("nothing can be written in " + directory, e);
    }
  }
}
