package dev.weblocks.harness.differ;

import java.util.List;

/** A runtime that runs programs. Belongs to one thread. */
public interface Engine extends AutoCloseable {

  /** Returns a short name, unique among engines. */
  String name();

  /**
   * Runs programs, each in a fresh browser profile or on an origin of its own.
   *
   * @return the observations in the order of the programs. A program that does not report in time
   *     has an incomplete one, and the others continue.
   */
  List<Observation> run(List<ProgramFiles> programs);

  /** Ends the runtime. */
  @Override
  void close();
}
