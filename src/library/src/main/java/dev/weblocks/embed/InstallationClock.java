package dev.weblocks.embed;

import dev.weblocks.agent.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** An adapter from the {@link InstantSource} of the embedder to {@link Clock}. */
final class InstallationClock implements Clock {

  private final InstantSource source;
  private final Instant zero;

  InstallationClock(InstantSource source) {
    this.source = source;
    this.zero = source.instant();
  }

  @Override
  public long nanoTime() {
    return Duration.between(zero, source.instant()).toNanos();
  }

  @Override
  public double epochMillisAtZero() {
    return zero.getEpochSecond() * 1e3 + zero.getNano() / 1e6;
  }
}
