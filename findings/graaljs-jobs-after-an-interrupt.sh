#!/usr/bin/env bash
# GraalJS: of the promise jobs behind a job that Context.interrupt() stops, GraalJS 25.0 runs none. From 25.1 on it runs those
# that wait already, before the exception reaches the caller, but drops the jobs that these queue.
#
#   findings/graaljs-jobs-after-an-interrupt.sh
#
# Guess before the first run: the jobs are dropped in all releases, or all run, with what follows from them.
# Seen: after an interrupt of the first job, GraalJS 25.0.3 runs neither "second" nor "third". GraalJS 25.1.3 and 25.5.5.0.3
# run both, but not "fourth", which "third" queues. A later evaluation runs only its own job.
# Installs the three into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='graaljs-jobs-after-an-interrupt'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

cat >Jobs.java <<'JAVA'
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.proxy.ProxyExecutable;

class Jobs {
  public static void main(String[] args) throws Exception {
    try (Context context =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      context
          .getBindings("js")
          .putMember(
              "interrupt",
              (ProxyExecutable)
                  none -> {
                    new Thread(() -> interrupt(context)).start();
                    return null;
                  });
      try {
        context.eval(
            "js",
            """
            const log = [];
            const end = Date.now() + 10000;
            Promise.resolve().then(() => { interrupt(); while (Date.now() < end); });
            Promise.resolve().then(() => log.push('second'));
            Promise.resolve().then(() => log.push('third')).then(() => log.push('fourth'));
            """);
        System.out.println("not interrupted");
      } catch (PolyglotException interrupted) {
        context.eval("js", "Promise.resolve().then(() => log.push('new'))");
        System.out.println(
            "interrupted: "
                + interrupted.isInterrupted()
                + ", jobs: "
                + context.eval("js", "log.join()"));
      }
    }
  }

  private static void interrupt(Context context) {
    try {
      context.interrupt(Duration.ofSeconds(10));
    } catch (TimeoutException late) {
      System.out.println("the interrupt took too long");
    }
  }
}
JAVA
of() { # VERSION EXPECTED
  fetch_graaljs "$1"
  line=$(run_java "$1" Jobs.java | tail -n 1)
  echo "GraalJS $1: $line"
  [ "$line" = "interrupted: true, jobs: $2" ] || die 1 "GraalJS $1 behaves otherwise"
}
of 25.0.3 new
of 25.1.3 second,third,new
of 25.5.5.0.3 second,third,new
