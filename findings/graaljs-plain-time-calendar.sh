#!/usr/bin/env bash
# GraalJS: Temporal.PlainTime has a member `calendar`, as earlier drafts of the proposal did. Node has none.
#
#   findings/graaljs-plain-time-calendar.sh
#
# Guess before the first run: with js.ecmascript-version=staging, Temporal has the members that browsers and Node have.
# Seen: GraalJS 25.5.5.0.3 has one member of Temporal more than Node 26.10.0.
# Installs both into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='graaljs-plain-time-calendar'
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly ENGINE=25.5.5.0.3 NODE=26.10.0

fetch_graaljs "$ENGINE"
fetch_node "$NODE"

cat >names.js <<'JS'
(() => {
  const names = [];
  for (const type of Object.getOwnPropertyNames(Temporal)) {
    const object = Temporal[type];
    for (const name of Object.getOwnPropertyNames(object)) names.push(`${type}.${name}`);
    for (const name of Object.getOwnPropertyNames(object.prototype ?? {})) names.push(`${type}.prototype.${name}`);
  }
  return names.sort().join('\n');
})()
JS
cat >Names.java <<'JAVA'
import java.nio.file.Files;
import java.nio.file.Path;
import org.graalvm.polyglot.Context;

class Names {
  public static void main(String[] args) throws Exception {
    try (Context context =
        Context.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .option("js.ecmascript-version", "staging")
            .build()) {
      System.out.println(context.eval("js", Files.readString(Path.of("names.js"))).asString());
      System.err.println("GraalJS " + context.getEngine().getVersion());
      System.err.println(
          "Temporal.PlainTime.from('10:00').calendar is "
              + context.eval("js", "String(Temporal.PlainTime.from('10:00').calendar)"));
    }
  }
}
JAVA
run_java "$ENGINE" Names.java >graaljs.txt
grep -E '^(GraalJS|Temporal)' java.err
printf 'Node %s\n' "$("$node" --version)"
"$node" --print "$(cat names.js)" >node.txt

printf '%s members of Temporal in Node\n' "$(wc -l <node.txt | tr -d ' ')"
printf 'only in GraalJS: %s\n' "$(LC_ALL=C comm -23 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt) | paste -sd ' ' -)"
printf 'only in Node: %s\n' "$(LC_ALL=C comm -13 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt) | paste -sd ' ' -)"
[ "$(LC_ALL=C comm -3 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt))" = PlainTime.prototype.calendar ] ||
  die 1 "the members of Temporal differ otherwise than by PlainTime.prototype.calendar"
