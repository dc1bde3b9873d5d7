package dev.weblocks.explore.schedule;

import dev.weblocks.embed.DeterministicDriver;
import dev.weblocks.model.UncaughtError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run whose steps are those of a driver. Not thread-safe. */
public abstract class DrivenPlay implements Scenario.Play {

  /** The driver of all user agents of the run. */
  protected final DeterministicDriver driver;

  private final List<String> events = new ArrayList<>();
  private boolean outOfMemory;
  private @Nullable Finding finding;

  protected DrivenPlay(DeterministicDriver driver) {
    this.driver = driver;
  }

  /** Adds an event to those of the current step. */
  protected final void happened(String event) {
    events.add(event);
  }

  /** Sets the finding, unless there is one: the first one is the cause of others. */
  protected final void found(Finding next) {
    if (finding == null) {
      finding = next;
    }
  }

  /** Sets the finding to the violation of an invariant, unless there is one. */
  protected final void broken(String violation) {
    found(new Finding(Finding.Kind.INVARIANT, violation.split(":", 2)[0], violation));
  }

  /** Makes the next step fail: a lack of memory is not a finding about the scripts. */
  public final void outOfMemory() {
    outOfMemory = true;
  }

  /** Returns the first line of a message, for display as an event. */
  protected static String firstLine(String message) {
    return message.lines().findFirst().orElse("an uncaught error");
  }

  /** Returns the kind of finding that an error is. */
  protected static Finding.Kind kindOf(UncaughtError error) {
    return error.kind() == UncaughtError.Kind.DEFECT ? Finding.Kind.DEFECT : Finding.Kind.ASSERTION;
  }

  @Override
  public final boolean step() {
    if (outOfMemory) {
      throw new OutOfMemoryError("in a run of an exploration");
    }
    return driver.runOne();
  }

  @Override
  public @Nullable Finding finding() {
    return finding;
  }

  @Override
  public final List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }
}
