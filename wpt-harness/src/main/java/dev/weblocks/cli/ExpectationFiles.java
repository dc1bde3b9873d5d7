package dev.weblocks.cli;

import dev.weblocks.wpt.TestDiscovery;
import dev.weblocks.wpt.TestResult;
import dev.weblocks.wpt.WptHosts;
import dev.weblocks.wpt.WptSubset;
import dev.weblocks.wpt.expect.ExpectationWriter;
import dev.weblocks.wpt.expect.Expectations;
import dev.weblocks.wpt.report.IoProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The files of expectations of a run, and what people are told about them. */
final class ExpectationFiles {

  private final Surroundings surroundings;
  private final WptSubset subset;
  private final Path root;
  private final TestDiscovery discovery;

  ExpectationFiles(Surroundings surroundings, WptSubset subset, Path root, WptHosts hosts) {
    this.surroundings = surroundings;
    this.subset = subset;
    this.root = root;
    this.discovery = new TestDiscovery(root, hosts);
  }

  /**
   * Reads them.
   *
   * @param update whether they will be updated: then reasons may be open and entries stale
   * @param pinned whether the WPT directory is that of the pin, which stale entries are found by
   */
  Expectations read(boolean update, boolean pinned) throws CommandFailure {
    Path directory = subset.expectations();
    try {
      if (update) {
        ExpectationWriter.requireWritable(directory);
        return Expectations.loadDrafts(directory);
      }
      Expectations expectations = Expectations.load(directory);
      if (pinned) {
        boolean hashes = subset.hasHashes();
        Set<String> files = hashes ? subset.files() : Set.of();
        // A pinned file that is not there is a gap of its source, and known as such.
        expectations.requireCurrent(
            discovery::under,
            source ->
                !hashes
                    || files.contains(source.substring(1))
                        == Files.exists(root.resolve(source.substring(1))));
      }
      return expectations;
    } catch (Expectations.MalformedException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandFailure("the expectations cannot be read: " + IoProblem.text(e));
    }
  }

  /** What they say, whether it is current or not: for a look that changes nothing. */
  Expectations drafts() throws CommandFailure {
    try {
      return Expectations.loadDrafts(subset.expectations());
    } catch (Expectations.MalformedException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandFailure("the expectations cannot be read: " + IoProblem.text(e));
    }
  }

  /**
   * Brings them in line with results and says what changed.
   *
   * @return whether a run would accept them now
   */
  boolean update(List<TestResult> results) throws CommandFailure {
    ExpectationWriter.Outcome outcome;
    try {
      outcome = ExpectationWriter.write(subset.expectations(), results, discovery::under);
    } catch (Expectations.MalformedException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandFailure("the expectations cannot be written: " + IoProblem.text(e));
    }
    if (outcome.changes().isEmpty()) {
      surroundings.out().println("No expectation changed");
    }
    outcome
        .changes()
        .forEach(change ->
            surroundings
                .out()
                .println(
                    "Changed " + change.file() + ": +" + change.added() + " -" + change.removed()));
    outcome
        .open()
        .forEach((file, open) ->
            surroundings
                .out()
                .println(
                    file
                        + ": "
                        + open
                        + (open == 1 ? " entry needs" : " entries need")
                        + " a reason"));
    if (!outcome.unusedReasons().isEmpty()) {
      surroundings
          .out()
          .println(
              subset.expectations().resolve("reasons.json")
                  + ": nobody uses "
                  + String.join(", ", outcome.unusedReasons())
                  + " any more");
    }
    return outcome.open().isEmpty() && outcome.unusedReasons().isEmpty();
  }
}
