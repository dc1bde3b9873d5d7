package dev.weblocks.harness.compare;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Temporary files of workloads and engine adapters for other processes; deleted on close. */
public final class WorkloadFiles implements AutoCloseable {

  private static final List<String> SHARED = List.of("contention", "keeping", "starting");

  private static final List<String> ADAPTERS =
      List.of(
          ("calls.js deno.js node-agent.js node.js page.html page.js window.html window.js"
                  + " worker.js workers.js")
              .split(" "));

  private final Path directory;

  /** Writes the files into a new directory. */
  public WorkloadFiles() throws IOException {
    directory = Files.createTempDirectory("weblocks-bench");
    try {
      for (String name : names()) {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream in = WorkloadFiles.class.getResourceAsStream(name)) {
          if (in == null) {
            throw new FileNotFoundException(name + " is missing from the jar");
          }
          Files.copy(in, file);
        }
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Returns the names of all resources, relative to this class. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    names.add("package.json");
    ADAPTERS.forEach(name -> names.add("adapters/" + name));
    SHARED.forEach(name -> names.add("workloads/" + name + ".js"));
    Workloads.ALL.stream()
        .filter(workload -> workload.kind() != Workload.Kind.FIRST_LOCK) // has no file
        .forEach(workload -> names.add("workloads/" + workload.name() + ".js"));
    return names;
  }

  /** Returns the absolute path of the directory with the files. */
  public Path directory() {
    return directory;
  }

  String adapter(String name) {
    return directory.resolve("adapters").resolve(name).toString();
  }

  /** Deletes a directory with its contents. Ignores files that cannot be deleted. */
  static void delete(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException leftToTheSystem) {
      // it is a temporary directory, so the system will clean it up
    }
  }

  @Override
  public void close() {
    delete(directory);
  }
}
