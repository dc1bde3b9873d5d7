# shellcheck shell=bash
# Shared by the scripts beside it; sourced, never run. The caller sets $program. Changes to a temporary folder, which is
# deleted at the end.
findings=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$findings/../scripts/lib.sh"
[ $# -eq 0 ] || die 2 "no arguments are expected"
need_jdk
need_maven
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fetch_graaljs() { # VERSION: into the folder graaljs-VERSION
  cat >pom.xml <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.graalvm.polyglot</groupId>
      <artifactId>polyglot</artifactId>
      <version>$1</version>
    </dependency>
    <dependency>
      <groupId>org.graalvm.polyglot</groupId>
      <artifactId>js-community</artifactId>
      <version>$1</version>
      <type>pom</type>
    </dependency>
  </dependencies>
</project>
XML
  run_maven -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
    "-DoutputDirectory=graaljs-$1" >maven.log 2>&1 || die 2 "Maven cannot fetch GraalJS $1: $(tail -n 1 maven.log)"
}

# Runs a Java source file on an engine that was fetched. Prints its output.
run_java() { # VERSION FILE
  "$jdk_home/bin/java" -cp "graaljs-$1/*" "$2" 2>java.err || {
    cat java.err >&2
    die 2 "GraalJS $1 cannot be run"
  }
}

fetch_node() { # VERSION: sets node to the command
  have npm || die 2 "npm is not installed (package npm)"
  npm install --silent --no-fund --no-audit --prefix "$work" "node@$1" >npm.log 2>&1 ||
    die 2 "npm cannot fetch node@$1: $(tail -n 1 npm.log)"
  # shellcheck disable=SC2034 # the caller uses it
  node=$work/node_modules/.bin/node
}
