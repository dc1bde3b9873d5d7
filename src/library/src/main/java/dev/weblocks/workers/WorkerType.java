package dev.weblocks.workers;

/**
 * The type of a worker's script.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#workertype">HTML</a>
 */
public enum WorkerType {
  CLASSIC,
  MODULE;

  /** Returns the type for an IDL value of {@code WorkerType}. */
  public static WorkerType of(String idl) {
    return idl.equals("module") ? MODULE : CLASSIC;
  }
}
