#!/usr/bin/env bash
# GraalJS: methods of Date.prototype accept a Temporal.Instant as their receiver. By the standard, and in Node, a
# receiver without [[DateValue]] is a TypeError. So such a call does not show whether an object is a Date.
#
#   findings/graaljs-date-methods-of-instant.sh
#
# Guess before the first run: Date.prototype.getTime.call(Temporal.Instant.from(…)) throws a TypeError, as for a Map.
# Seen: GraalJS 25.5.5.0.3 returns the time of the instant, and a TypeError for a Map. Node 26.10.0 throws for both.
# Installs both into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='graaljs-date-methods-of-instant'
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/../scripts/lib.sh"
[ $# -eq 0 ] || die 2 "no arguments are expected"
need_jdk
need_maven
have npm || die 2 "npm is not installed (package npm)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
readonly ENGINE=25.5.5.0.3 NODE=26.10.0

cat >pom.xml <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.graalvm.polyglot</groupId><artifactId>polyglot</artifactId><version>$ENGINE</version></dependency>
    <dependency><groupId>org.graalvm.polyglot</groupId><artifactId>js-community</artifactId><version>$ENGINE</version><type>pom</type></dependency>
  </dependencies>
</project>
XML
run_maven -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=jars >maven.log 2>&1 ||
  die 2 "Maven cannot fetch GraalJS $ENGINE: $(tail -n 1 maven.log)"
npm install --silent --no-fund --no-audit --prefix "$work" "node@$NODE" >npm.log 2>&1 ||
  die 2 "npm cannot fetch node@$NODE: $(tail -n 1 npm.log)"

cat >receivers.js <<'JS'
[Temporal.Instant.fromEpochMilliseconds(86400000), new Map()].map(receiver =>
  ['getTime', 'toISOString'].map(name => {
    try {
      return String(Date.prototype[name].call(receiver));
    } catch (error) {
      return error.name;
    }
  }).join(' ')).join(', of a Map: ')
JS
cat >Receivers.java <<'JAVA'
import java.nio.file.Files;
import java.nio.file.Path;
import org.graalvm.polyglot.Context;

class Receivers {
  public static void main(String[] args) throws Exception {
    try (Context context =
        Context.newBuilder("js")
            .option("engine.WarnInterpreterOnly", "false")
            .option("js.ecmascript-version", "staging")
            .build()) {
      System.out.println(context.eval("js", Files.readString(Path.of("receivers.js"))).asString());
    }
  }
}
JAVA
graaljs=$("$jdk_home/bin/java" -cp 'jars/*' Receivers.java 2>java.err | tail -n 1) || {
  cat java.err >&2
  die 2 "GraalJS cannot be run"
}
node=$(node_modules/.bin/node --print "$(cat receivers.js)")
echo "GraalJS $ENGINE, of an Instant: $graaljs"
echo "Node $NODE, of an Instant: $node"
[ "$graaljs" = '86400000 1970-01-02T00:00:00.000Z, of a Map: TypeError TypeError' ] || die 1 "GraalJS behaves otherwise"
[ "$node" = 'TypeError TypeError, of a Map: TypeError TypeError' ] || die 1 "Node behaves otherwise"
