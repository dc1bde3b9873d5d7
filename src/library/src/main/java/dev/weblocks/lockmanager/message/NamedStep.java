package dev.weblocks.lockmanager.message;

import dev.weblocks.model.TraceEvent.Spec;

/** A step of an algorithm of the Working Draft or of the early draft, with its name in traces. */
public interface NamedStep {

  Spec place();
}
