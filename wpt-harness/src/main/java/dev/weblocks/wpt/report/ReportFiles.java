package dev.weblocks.wpt.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
   * Finds out whether all files can be written, leaving no trace.
   *
   * @throws UnusableException when one cannot, or two are the same
   */
  public static ReportFiles of(List<Request> requests) throws UnusableException {
    Map<Path, String> owners = new HashMap<>();
    for (Request request : requests) {
      String place = request.option() + " " + Visible.line(request.file().toString());
      try {
        WholeFile.requireWritable(request.file());
        String other = owners.put(WholeFile.identity(request.file()), request.option());
        if (other != null) {
          throw new UnusableException(
              other.equals(request.option())
                  ? place + " is given twice: name it once"
                  : place + " is the file of " + other + " too: name another");
        }
      } catch (IOException e) {
        throw new UnusableException(place + " cannot be written: " + describe(e));
      }
    }
    return new ReportFiles(requests);
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
                  + describe(e));
        }
      }
    }
    return new Outcome(written, problems);
  }

  private static String describe(IOException problem) {
    String message = String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    return problem.getClass() == IOException.class
        ? message
        : problem.getClass().getSimpleName() + ": " + message;
  }
}
