package dev.weblocks.harness.compare;

import dev.weblocks.harness.process.TemporaryDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Temporary files of workloads and engine adapters for other processes; deleted on close. */
public final class WorkloadFiles implements AutoCloseable {

  private static final List<String> SHARED = List.of("contention", "keeping", "starting");

  private static final List<String> ADAPTERS =
      List.of(
          ("calls.js deno.js node-agent.js node.js page.html page.js seconds.html seconds.js window.html window.js"
                  + " worker.js workers.js")
              .split(" "));

  private final TemporaryDirectory directory;

  /** Writes the files into a new directory. */
  public WorkloadFiles() throws IOException {
    directory = new TemporaryDirectory("weblocks-bench");
    try {
      for (String name : names()) {
        Path file = directory.path().resolve(name);
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
        .filter(Workload::hasFile)
        .forEach(workload -> names.add("workloads/" + workload.name() + ".js"));
    return names;
  }

  /** Returns the absolute path of the directory with the files. */
  public Path directory() {
    return directory.path();
  }

  String adapter(String name) {
    return directory.path().resolve("adapters").resolve(name).toString();
  }

  @Override
  public void close() {
    directory.close();
  }
}
