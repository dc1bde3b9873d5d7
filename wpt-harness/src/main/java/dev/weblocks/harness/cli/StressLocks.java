package dev.weblocks.harness.cli;

import dev.weblocks.harness.stress.KillReport;
import dev.weblocks.harness.stress.KillRun;
import dev.weblocks.model.LockEntry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The printer of held locks and waiting requests when a stress run is interrupted or finds a
 * problem.
 */
final class StressLocks implements KillRun.Listener, AutoCloseable {

  private static final int MAX_LINES = 200;

  private final CliEnvironment cli;
  private final Consumer<KillReport.Sample> samples;
  private final Runnable deafen;
  private volatile Supplier<List<LockEntry>> locks = List::of;

  StressLocks(
      CliEnvironment cli,
      RunEnvironment.Interrupts interrupts,
      Consumer<KillReport.Sample> samples) {
    this.cli = cli;
    this.samples = samples;
    this.deafen = interrupts.listen(this::interrupted, new CountDownLatch(0));
  }

  @Override
  public void sampled(KillReport.Sample sample) {
    samples.accept(sample);
  }

  @Override
  public void began(Supplier<List<LockEntry>> locks) {
    this.locks = locks;
  }

  private void interrupted() {
    List<LockEntry> now = locks.get();
    cli.note("interrupted; " + (now.isEmpty() ? "no lock is held or waited for" : "locks:"));
    show(now);
    cli.err().flush();
  }

  void show(List<LockEntry> entries) {
    List<String> lines = LockTable.text(entries).lines().toList();
    lines.stream().limit(MAX_LINES).forEach(cli::printErrorLines);
    if (lines.size() > MAX_LINES) {
      cli.printErrorLines("and " + (lines.size() - MAX_LINES) + " more lines");
    }
  }

  @Override
  public void close() {
    deafen.run();
  }
}
