package dev.weblocks.cli;

/**
 * What the launcher trains an ahead-of-time cache of the JVM with: a script, and a command that it
 * names.
 */
final class Training {

  private static final String SCRIPT =
      "navigator.locks.request('a', async lock => console.log(lock.name, await navigator.locks.query()))";

  private Training() {}

  /** Runs both, and ends the process. */
  public static void main(String[] args) {
    int status = Main.run("run", "-e", SCRIPT);
    if (args.length > 0) {
      status |= Main.run(args);
    }
    System.exit(status);
  }
}
