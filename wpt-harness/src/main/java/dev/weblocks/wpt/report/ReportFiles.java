package dev.weblocks.wpt.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that reports go to. Whoever comes first writes them, once and as wholes: the run at its
 * end, or on another thread what interrupts it. The other one waits until they are there.
 */
public final class ReportFiles {

  /** A file that cannot be used; the message is one line for the user. */
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * A file that is asked for.
   *
   * @param option what asked for it, as the user typed it: {@code --junit}
   */
  public record Request(String option, Path file, ReportFormat format) {}

  /**
   * What became of the files.
   *
   * @param written those that hold the report now
   * @param problems one line for each that does not
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
   * Finds out whether all files can be written, leaving no trace; nothing else is read.
   *
   * @throws UnusableException when one cannot, or two are the same
   */
  public static ReportFiles of(List<Request> requests) throws UnusableException {
    return of(requests, Map.of(), Map.of());
  }

  /**
   * Finds out whether all files can be written, leaving no trace.
   *
   * @param inputs files that are read, and what names them: {@code --compare}
   * @param trees directories that are read, and what they hold: {@code the tests}
   * @throws UnusableException when one cannot, two are the same, or one is read as well
   */
  public static ReportFiles of(
      List<Request> requests, Map<Path, String> inputs, Map<Path, String> trees)
      throws UnusableException {
    Map<Path, String> owners = new HashMap<>();
    for (Request request : requests) {
      String place = request.option() + " " + Visible.line(request.file().toString());
      try {
        WholeFile.requireWritable(request.file());
        String reader = reader(request.file(), inputs, trees);
        if (reader != null) {
          throw new UnusableException(place + " would be written over " + reader);
        }
        String other = owners.put(WholeFile.identity(request.file()), request.option());
        if (other != null) {
          throw new UnusableException(
              other.equals(request.option())
                  ? place + " is given twice: name it once"
                  : place + " is the file of " + other + " too: name another");
        }
      } catch (IOException e) {
        throw new UnusableException(place + " cannot be written: " + IoProblem.text(e));
      }
    }
    return new ReportFiles(requests);
  }

  /** Says what a file is that is read, too; null if it is not. */
  private static @Nullable String reader(
      Path file, Map<Path, String> inputs, Map<Path, String> trees) throws IOException {
    for (Map.Entry<Path, String> input : inputs.entrySet()) {
      boolean there = Files.exists(file) && Files.exists(input.getKey());
      if (there && Files.isSameFile(file, input.getKey())) {
        return "the file of " + input.getValue() + ": name another";
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

  /** Whether no file is asked for. */
  public boolean isEmpty() {
    return requests.isEmpty();
  }

  /**
   * Writes the run into all files, unless that has been done; returns when they are there. May be
   * called on any thread, a shutdown hook's among them. A file that cannot be written keeps no
   * other from being written.
   *
   * @return what became of them; nothing at all when another call has written them
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
                  + Visible.line(request.file().toString())
                  + " cannot be written: "
                  + IoProblem.text(e));
        }
      }
    }
    return new Outcome(written, problems);
  }
}
