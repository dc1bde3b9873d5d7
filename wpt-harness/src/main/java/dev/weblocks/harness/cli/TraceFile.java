package dev.weblocks.harness.cli;

import dev.weblocks.explore.trace.Names;
import dev.weblocks.explore.trace.Recording;
import dev.weblocks.explore.trace.TraceOutput;
import dev.weblocks.harness.run.ScriptRun;
import dev.weblocks.harness.wpt.IoProblem;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A trace that is being written. Thread-safe. */
final class TraceFile {

  /** The names of agents and places in scripts, for the run that {@link #setRun} set last. */
  static final class NamesOfRun implements Names {
    private volatile @Nullable ScriptRun run;

    void setRun(ScriptRun newRun) {
      run = newRun;
    }

    @Override
    public String agent(String agent, String url) {
      ScriptRun known = run;
      if (known == null) {
        return agent;
      }
      String label = known.label(agent, url);
      return label.startsWith("#") ? agent : label; // a worker without a known URL
    }

    @Override
    public String place(String place) {
      ScriptRun known = run;
      return known == null ? place : known.withNames(place);
    }
  }

  private final TraceOutput output;
  private final Path file;
  private final CliEnvironment cli;

  // guarded by this
  private boolean closed;
  private boolean whole = true;

  TraceFile(TraceOutput output, Path file, CliEnvironment cli) {
    this.output = output;
    this.file = file;
    this.cli = cli;
  }

  Recording record(String title, String note, Names names) {
    return output.record(title, note, names);
  }

  /** Ends the trace; returns false, after a message, if not all of it was written. Idempotent. */
  synchronized boolean close() {
    if (!closed) {
      closed = true;
      try {
        output.close();
      } catch (IOException e) {
        whole = false;
        cli.note("--trace %s cannot be written: %s".formatted(file, IoProblem.text(e)));
      }
    }
    return whole;
  }
}
