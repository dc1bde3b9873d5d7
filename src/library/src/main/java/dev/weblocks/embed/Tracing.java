package dev.weblocks.embed;

import dev.weblocks.agent.Clock;
import dev.weblocks.agent.Trace;
import dev.weblocks.agent.TraceStep;
import dev.weblocks.lockmanager.message.LockRequester;
import dev.weblocks.lockmanager.message.NamedStep;
import dev.weblocks.locks.LockTraceInfo;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A trace listener that converts steps to types of the public API. */
record Tracing(TraceListener listener) implements dev.weblocks.agent.TraceListener {

  /** Returns a trace for a listener; null without a listener. */
  static @Nullable Trace of(@Nullable TraceListener listener, Clock clock) {
    return listener == null ? null : new Trace(new Tracing(listener), clock);
  }

  @Override
  public void on(TraceStep step) {
    LockTraceInfo info = step.about() instanceof LockTraceInfo about ? about : null;
    listener.on(
        new TraceEvent(
            step.id(),
            step.kind(),
            step.actor(),
            step.cause(),
            Duration.ofNanos(step.nanos()),
            info == null || info.spec() == null ? null : spec(info.spec().place()),
            info == null ? null : lock(info),
            step.detail()));
  }

  @Override
  public void ended(long id, long nanos) {
    listener.ended(id, Duration.ofNanos(nanos));
  }

  private static TraceEvent.Spec spec(NamedStep.Place step) {
    return new TraceEvent.Spec(step.section(), step.algorithm(), step.step(), step.link());
  }

  private static TraceEvent.Lock lock(LockTraceInfo info) {
    LockRequester requester = info.requester();
    LockTraceInfo.Subject subject = info.subject();
    List<String> names = subject == null ? List.of() : subject.names();
    return new TraceEvent.Lock(
        info.action(),
        info.requestId(),
        info.client() == null ? null : info.client().value(),
        requester == null ? null : requester.agent(),
        requester == null ? null : requester.url(),
        requester == null ? null : requester.origin(),
        subject == null ? null : subject.manager().bucket(),
        subject == null ? null : subject.manager().value(),
        names.size() == 1 ? names.getFirst() : null,
        names,
        subject == null ? null : subject.mode(),
        subject == null ? null : subject.waitMode(),
        subject == null ? null : subject.position(),
        subject != null && subject.clientEnded(),
        info.logIndex());
  }
}
