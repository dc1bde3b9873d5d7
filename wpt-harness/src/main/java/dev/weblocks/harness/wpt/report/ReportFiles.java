package dev.weblocks.harness.wpt.report;

import dev.weblocks.explore.text.HarmlessText;
import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that reports are written to. They are written once, each atomically: by the run at its
 * end, or by the interrupt handler on another thread. The later caller waits until they are
 * written.
 */
public final class ReportFiles {

  /** Thrown for a file that cannot be used. The message is one line for the user. */
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * A requested file.
   *
   * @param option the option that requested it, as typed by the user: {@code --junit}
   */
  public record Request(String option, Path file, ReportFormat format) {}

  /**
   * The result of writing the files.
   *
   * @param written the files that contain the report now
   * @param problems one line for each other file
   */
  public record Outcome(List<Path> written, List<String> problems) {

    public Outcome {
      written = List.copyOf(written);
      problems = List.copyOf(problems);
    }
  }

  private final List<Request> requests;
  private boolean done;

  private ReportFiles(List<Request> requests) {
    this.requests = List.copyOf(requests);
  }

  /**
   * Checks that all files can be written, without changing anything.
   *
   * @param inputs files that are read, with the options that name them: {@code --compare}
   * @param trees directories that are read, with their descriptions: {@code the tests}
   * @throws UnusableException if a file cannot be written, is requested twice, or is also read
   */
  public static ReportFiles of(
      List<Request> requests, Map<Path, String> inputs, Map<Path, String> trees)
      throws UnusableException {
    Map<Path, String> owners = new HashMap<>();
    for (Request request : requests) {
      String place = request.option() + " " + HarmlessText.line(request.file().toString());
      try {
        WholeFile.requireWritable(request.file());
        String reader = reader(request.file(), inputs, trees);
        if (reader != null) {
          throw new UnusableException(place + " would overwrite " + reader);
        }
        String other = owners.put(WholeFile.identity(request.file()), request.option());
        if (other != null) {
          throw new UnusableException(
              other.equals(request.option())
                  ? place + " is given twice: name it once"
                  : place + " names the same file as " + other + ": use another file");
        }
      } catch (IOException e) {
        throw new UnusableException(place + " cannot be written: " + IoProblem.text(e));
      }
    }
    return new ReportFiles(requests);
  }

  /** Returns a description of the input that a report file would overwrite; null for none. */
  private static @Nullable String reader(
      Path file, Map<Path, String> inputs, Map<Path, String> trees) throws IOException {
    for (Map.Entry<Path, String> input : inputs.entrySet()) {
      boolean there = Files.exists(file) && Files.exists(input.getKey());
      if (there && Files.isSameFile(file, input.getKey())) {
        return "the file of " + input.getValue() + ": use another file";
      }
    }
    for (Map.Entry<Path, String> tree : trees.entrySet()) {
      if (Files.isDirectory(tree.getKey())
          && WholeFile.identity(file).startsWith(tree.getKey().toRealPath())) {
        return tree.getValue() + " in " + tree.getKey() + ": name a file elsewhere";
      }
    }
    return null;
  }

  /**
   * Writes the run into all files, unless that has been done. Returns when they are written. May be
   * called on any thread, including that of a shutdown hook. A file that cannot be written does not
   * prevent the others.
   *
   * @return the written files and problems; empty if another call has written them
   */
  public synchronized Outcome write(RunReport run) {
    List<Path> written = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    if (!done) {
      done = true;
      for (Request request : requests) {
        try {
          WholeFile.save(request.file(), request.format().write(run));
          written.add(request.file());
        } catch (IOException e) {
          problems.add(
              request.option()
                  + " "
                  + HarmlessText.line(request.file().toString())
                  + " cannot be written: "
                  + IoProblem.text(e));
        }
      }
    }
    return new Outcome(written, problems);
  }
}
