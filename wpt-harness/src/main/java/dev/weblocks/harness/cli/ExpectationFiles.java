package dev.weblocks.harness.cli;

import dev.weblocks.harness.wpt.IoProblem;
import dev.weblocks.harness.wpt.TestDiscovery;
import dev.weblocks.harness.wpt.TestResult;
import dev.weblocks.harness.wpt.WptSubset;
import dev.weblocks.harness.wpt.expect.ExpectationWriter;
import dev.weblocks.harness.wpt.expect.Expectations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The expectation files of a run, and the messages about them. */
final class ExpectationFiles {

  private final CliEnvironment cli;
  private final WptSubset subset;
  private final Path root;
  private final TestDiscovery discovery;

  ExpectationFiles(CliEnvironment cli, WptSubset subset, Path root, TestDiscovery discovery) {
    this.cli = cli;
    this.subset = subset;
    this.root = root;
    this.discovery = discovery;
  }

  /**
   * Reads the expectations.
   *
   * @param update whether the expectations will be updated; if so, missing or unused reasons and
   *     stale entries are accepted
   * @param pinned whether the WPT directory is at the pinned revision; stale entries, such as those
   *     of tests that do not exist, are detected only then
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
        // A missing pinned file is a known gap of its source.
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

  /** Reads the expectations without a check for missing or unused reasons and stale entries. */
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
   * Updates the expectations to match results, and prints the changes.
   *
   * @return whether the expectations are complete: no reason is missing or unused
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
      cli.println("No expectation changed");
    }
    outcome
        .changes()
        .forEach(change ->
            cli.println(
                "Changed " + change.file() + ": +" + change.added() + " -" + change.removed()));
    outcome
        .open()
        .forEach((file, open) ->
            cli.println(
                "%s: %s%s a reason"
                    .formatted(file, open, open == 1 ? " entry needs" : " entries need")));
    if (!outcome.unusedReasons().isEmpty()) {
      cli.println(
          subset.expectations().resolve("reasons.json")
              + ": unused: "
              + String.join(", ", outcome.unusedReasons())
              + "; delete the entries");
    }
    return outcome.open().isEmpty() && outcome.unusedReasons().isEmpty();
  }
}
