package dev.weblocks.bench;

import java.util.Map;

/** The references of benchmarks, by label. */
final class References {

  private static final String PLAIN_LOCK = "LockManagersBenchmark.plainRequestAndRelease";

  private static final String PLAIN_TASK_ON_POOL = "EventLoopBenchmark.plainTaskOnPool";

  /** References of the core benchmarks, which have no parameters. */
  static final Map<String, String> CORE =
      Map.ofEntries(
          Map.entry("LockManagersBenchmark.requestAndRelease", PLAIN_LOCK),
          Map.entry(
              "LockManagersBenchmark.releaseGrantsNext",
              "LockManagersBenchmark.plainReleaseGrantsNext"),
          Map.entry(
              "LockManagersBenchmark.abortInTheMiddle",
              "LockManagersBenchmark.plainAbortInTheMiddle"),
          Map.entry("LockManagersBenchmark.steal", PLAIN_LOCK),
          Map.entry("LockManagersBenchmark.snapshotUnchanged", PLAIN_LOCK),
          Map.entry("LockManagersBenchmark.snapshotChanged", "LockManagersBenchmark.plainSnapshot"),
          Map.entry("LockManagersBenchmark.stepOfTheQueue", PLAIN_LOCK),
          Map.entry("EventLoopBenchmark.taskOnPool", PLAIN_TASK_ON_POOL),
          Map.entry("EventLoopBenchmark.handOverOnPool", PLAIN_TASK_ON_POOL),
          Map.entry("EventLoopBenchmark.taskDeterministic", "EventLoopBenchmark.plainTask"),
          Map.entry(
              "EventLoopBenchmark.startAndCancelTimer",
              "EventLoopBenchmark.plainStartAndCancelTimer"));

  /** References of the benchmarks of script and embedders, with parameter values in the labels. */
  static final Map<String, String> ABOVE_THE_CORE =
      Map.of(
          "LockBenchmark.stepsOfTheQueue none", PLAIN_LOCK,
          "RequestBenchmark.byScript", "RequestBenchmark.callOfScript",
          "BindingBenchmark.lockName weblocks", "BindingBenchmark.lockName plain",
          "BindingBenchmark.query weblocks", "BindingBenchmark.query plain",
          "BindingBenchmark.newAbortController weblocks",
              "BindingBenchmark.newAbortController plain",
          "BindingBenchmark.addEventListenerWithOptions weblocks",
              "BindingBenchmark.addEventListenerWithOptions plain");

  private References() {}
}
