#!/usr/bin/env bash
# GraalJS: a repeated quantifier in a regular expression literal is found when the literal is evaluated. It is an
# early error, as other faults of such literals are in GraalJS, and as all are in Node.
#
#   findings/graaljs-late-regexp-error.sh
#
# Guess before the first run: a function whose body has the literal /a++/ cannot be created, as in all engines.
# Seen: GraalJS 25.5.5.0.3 creates it, and throws the SyntaxError at the call. Node 26.10.0 creates none.
# Installs both into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program=graaljs-late-regexp-error
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

cat >when.js <<'JS'
['a++', 'a**', '(?>a)', 'a{3,2}', '[b-a]'].map(pattern => {
  let when = 'created';
  try {
    const made = new Function(`return /${pattern}/`);
    when = 'called';
    made();
    when = 'never';
  } catch (error) {
    when += ` ${error.name}`;
  }
  return `/${pattern}/ ${when}`;
}).join('\n')
JS
cat >When.java <<'JAVA'
import java.nio.file.Files;
import java.nio.file.Path;
import org.graalvm.polyglot.Context;

class When {
  public static void main(String[] args) throws Exception {
    try (Context context =
        Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      System.out.println(context.eval("js", Files.readString(Path.of("when.js"))).asString());
      System.err.println("GraalJS " + context.getEngine().getVersion());
    }
  }
}
JAVA
"$jdk_home/bin/java" -cp 'jars/*' When.java >graaljs.txt 2>graaljs.err || {
  cat graaljs.err >&2
  die 2 "GraalJS cannot be run"
}
node=node_modules/.bin/node
"$node" --print "$(cat when.js)" >node.txt
grep '^GraalJS' graaljs.err
cat graaljs.txt
printf 'Node %s\n' "$("$node" --version)"
cat node.txt

cat >expected.txt <<'TEXT'
/a++/ called SyntaxError
/a**/ called SyntaxError
/(?>a)/ created SyntaxError
/a{3,2}/ created SyntaxError
/[b-a]/ created SyntaxError
TEXT
diff expected.txt graaljs.txt || die 1 "GraalJS behaves differently now"
sed 's/called/created/' expected.txt | diff - node.txt || die 1 "Node behaves differently now"
