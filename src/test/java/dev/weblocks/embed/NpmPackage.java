package dev.weblocks.embed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A package that npm brings into the user's cache, once: others' code, to run unchanged and never
 * to be committed.
 *
 * @param name as npm knows it
 * @param version exact
 */
record NpmPackage(String name, String version) {

  private static final int INSTALL_MINUTES = 5;

  /**
   * The text of a file of the package. A machine without npm skips the test that asks.
   *
   * @param path relative to the package
   */
  String read(String path) {
    try {
      return Files.readString(installed().resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(name + "@" + version + " has no " + path, e);
    }
  }

  /** The folder whose {@code node_modules} holds the package and all that it needs. */
  Path home() {
    try {
      installed();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cachedHome();
  }

  private Path cachedHome() {
    return cache().resolve(name.replace('/', '+') + "@" + version);
  }

  private Path installed() throws IOException {
    Path installed = cachedHome().resolve("node_modules").resolve(name);
    if (Files.notExists(installed)) {
      install(cachedHome());
    }
    return installed;
  }

  /** Into a folder beside, so that a run that is broken off leaves nothing half done. */
  private void install(Path home) throws IOException {
    Optional<Path> npm = onPath("npm");
    Assumptions.assumeTrue(
        npm.isPresent(), "npm is not on the PATH, and " + name + " not in " + home);
    Files.createDirectories(home.getParent());
    Path fresh = Files.createTempDirectory(home.getParent(), "new-");
    Path output = fresh.resolve("npm.log");
    run(
        List.of(
            npm.get().toString(),
            "install",
            "--prefix",
            fresh.toString(),
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-save",
            name + "@" + version),
        output);
    try {
      Files.move(fresh, home);
    } catch (FileAlreadyExistsException meanwhile) {
      // another run was faster, with the same files
    }
  }

  private static void run(List<String> command, Path output) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException(command + " took more than " + INSTALL_MINUTES + " minutes");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while npm ran", e);
    }
    if (process.exitValue() != 0) {
      throw new IOException(command + " failed:\n" + Files.readString(output));
    }
  }

  private static Path cache() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg == null || xdg.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return base.resolve("weblocks").resolve("npm");
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
