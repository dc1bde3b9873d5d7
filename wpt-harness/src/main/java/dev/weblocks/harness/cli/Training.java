package dev.weblocks.harness.cli;

/**
 * The training run for an ahead-of-time cache of the JVM: runs a script and an optional command.
 * The launcher starts it.
 */
final class Training {

  private static final String SCRIPT =
      "navigator.locks.request('a', async lock => console.log(lock.name, await navigator.locks.query()))";

  private Training() {}

  public static void main(String[] args) {
    int status = Main.run("run", "-e", SCRIPT);
    if (args.length > 0) {
      status |= Main.run(args);
    }
    System.exit(status);
  }
}
