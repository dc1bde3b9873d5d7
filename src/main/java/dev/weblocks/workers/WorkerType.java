package dev.weblocks.workers;

/**
 * What the script of a worker is.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/workers.html#workertype">HTML</a>
 */
public enum WorkerType {
  CLASSIC,
  MODULE;

  /** The type of a converted WorkerType. */
  public static WorkerType of(String idl) {
    return idl.equals("module") ? MODULE : CLASSIC;
  }
}
