package dev.weblocks.harness.cli;

import dev.weblocks.explore.schedule.Shard;
import dev.weblocks.harness.wpt.TestSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select tests. */
final class SelectionOptions {

  private static final int MAX_CHUNKS = 9_999;

  @Option(
      names = "--exclude",
      paramLabel = "TEST-PATH",
      description = "Exclude the tests that TEST-PATH names. May be given several times.")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--filter",
      paramLabel = "REGEX",
      description =
          "Only tests whose id contains a match of REGEX (java.util.regex). May be given several"
              + " times: all must match.")
  private List<Pattern> filters = new ArrayList<>();

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      description =
          "Only tests of variant NAME: a query such as ?1-10, or the global of an .any.js file,"
              + " such as window, dedicatedworker, sharedworker-module. May be given several times:"
              + " one of them must match.")
  private List<String> variants = new ArrayList<>();

  @Option(
      names = "--this-chunk",
      paramLabel = "K",
      description =
          "Only chunk K, from 1, of the --total-chunks into which these tests are divided, for one"
              + " of several machines. Each test is in one chunk, whatever the machine, and each"
              + " chunk has as many tests as another, and as many with a long timeout. 'weblocks"
              + " merge' makes one report of the files of --jsonl.")
  private @Nullable Integer thisChunk;

  @Option(
      names = "--total-chunks",
      paramLabel = "N",
      description = "The number of chunks. Default: all tests run.")
  private @Nullable Integer totalChunks;

  @Option(
      names = "--list",
      description =
          "List the tests instead of running them, with the reason for those that do not run.")
  boolean list;

  @Nullable String problem(List<String> paths) {
    if (paths.contains("")) {
      return "a TEST-PATH is empty: leave it out, or name a test";
    }
    for (String path : paths) {
      if (path.indexOf('\0') >= 0) {
        return "'" + path + "' is not a TEST-PATH: Nul character not allowed";
      }
    }
    if (excluded.contains("")) {
      return "--exclude '': a TEST-PATH is needed";
    }
    if (variants.contains("")) {
      return "--variant '': a NAME is needed";
    }
    if (totalChunks == null || thisChunk == null) {
      return thisChunk != null
          ? "--this-chunk " + thisChunk + " needs --total-chunks"
          : totalChunks != null ? "--total-chunks " + totalChunks + " needs --this-chunk" : null;
    }
    String wrong = Values.outOfRange("--total-chunks", totalChunks, 1, MAX_CHUNKS);
    return wrong != null ? wrong : Values.outOfRange("--this-chunk", thisChunk, 1, totalChunks);
  }

  /** Returns the chunk to run; null for all tests. */
  @Nullable Shard chunk() {
    return thisChunk == null || totalChunks == null ? null : new Shard(thisChunk, totalChunks);
  }

  TestSelection of(List<String> paths) {
    return new TestSelection(paths, excluded, filters, variants);
  }
}
