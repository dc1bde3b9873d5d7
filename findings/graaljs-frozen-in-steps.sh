#!/usr/bin/env bash
# GraalJS 24.2: an array whose elements and length become read-only one by one, and which is then made
# non-extensible, is not frozen for Object.isFrozen(). One that Object.freeze() freezes is. GraalJS 25.0 agrees with
# the standard.
#
#   findings/graaljs-frozen-in-steps.sh
#
# Guess before the first run: Object.isFrozen() depends on the attributes of the properties alone, however they were set.
# Seen: with equal descriptors, GraalJS 24.2.2 returns false for the first array and true for the second.
# Installs both into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program=graaljs-frozen-in-steps
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../scripts/lib.sh"
[ $# -eq 0 ] || die 2 "no arguments are expected"
need_jdk
need_maven

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >Frozen.java <<'JAVA'
import org.graalvm.polyglot.Context;

class Frozen {
  public static void main(String[] args) {
    String script =
        """
        const inSteps = [];
        Object.defineProperty(inSteps, 0, {value: 'a', writable: false, enumerable: true, configurable: false});
        Object.defineProperty(inSteps, 'length', {writable: false});
        Object.preventExtensions(inSteps);
        const atOnce = Object.freeze(['a']);
        const of = list => JSON.stringify(Object.getOwnPropertyDescriptors(list)) + Object.isExtensible(list);
        `same descriptors: ${of(inSteps) === of(atOnce)}, in steps: ${Object.isFrozen(inSteps)}, at once: ${Object.isFrozen(atOnce)}`
        """;
    try (Context context =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      System.out.println(context.eval("js", script).asString());
    }
  }
}
JAVA
seen=''
for engine in 24.2.2 25.0.3; do
  cat >pom.xml <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.graalvm.polyglot</groupId><artifactId>polyglot</artifactId><version>$engine</version></dependency>
    <dependency><groupId>org.graalvm.polyglot</groupId><artifactId>js-community</artifactId><version>$engine</version><type>pom</type></dependency>
  </dependencies>
</project>
XML
  run_maven -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies "-DoutputDirectory=jars-$engine" >maven.log 2>&1 ||
    die 2 "Maven cannot fetch GraalJS $engine: $(tail -n 1 maven.log)"
  line=$("$jdk_home/bin/java" -cp "jars-$engine/*" Frozen.java 2>java.err | tail -n 1) || {
    cat java.err >&2
    die 2 "GraalJS $engine cannot be run"
  }
  echo "GraalJS $engine: $line"
  seen="$seen$line;"
done
[ "$seen" = 'same descriptors: true, in steps: false, at once: true;same descriptors: true, in steps: true, at once: true;' ] ||
  die 1 "Object.isFrozen() returns something else"
