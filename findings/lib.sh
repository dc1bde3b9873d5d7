# shellcheck shell=bash
# Shared by the scripts beside it; sourced, never run. The caller sets $program. Changes to a temporary folder, which is
# deleted at the end.
findings=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$findings/../scripts/lib.sh"
[ $# -eq 0 ] || die 2 "no arguments are expected"
need_jdk
need_maven
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fetch_maven() { # FOLDER GROUP:ARTIFACT:VERSION[:TYPE]...: with what they depend on
  local folder=$1 each group artifact version type
  shift
  {
    cat <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>finding</groupId>
  <artifactId>finding</artifactId>
  <version>1</version>
  <dependencies>
XML
    for each in "$@"; do
      IFS=: read -r group artifact version type <<<"$each"
      cat <<XML
    <dependency>
      <groupId>$group</groupId>
      <artifactId>$artifact</artifactId>
      <version>$version</version>
      <type>${type:-jar}</type>
    </dependency>
XML
    done
    printf '  </dependencies>\n</project>\n'
  } >pom.xml
  run_maven -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
    "-DoutputDirectory=$folder" >maven.log 2>&1 || die 2 "Maven cannot fetch $*: $(tail -n 1 maven.log)"
}

fetch_graaljs() { # VERSION: into the folder graaljs-VERSION
  fetch_maven "graaljs-$1" "org.graalvm.polyglot:polyglot:$1" "org.graalvm.polyglot:js-community:$1:pom"
}

# Runs a Java source file with the jars of a folder. Prints its output.
run_jars() { # FOLDER FILE [ARGUMENT]...
  "$jdk_home/bin/java" -cp "$1/*" "${@:2}" 2>java.err || {
    cat java.err >&2
    die 2 "$2 cannot be run with $1"
  }
}

run_java() { # VERSION FILE: on an engine that was fetched
  run_jars "graaljs-$1" "$2"
}

# Evaluates a script on an engine that was fetched. Prints its value.
eval_graaljs() { # VERSION FILE [OPTION=VALUE]...
  cat >Evaluate.java <<'JAVA'
import java.nio.file.Files;
import java.nio.file.Path;
import org.graalvm.polyglot.Context;

class Evaluate {
  public static void main(String[] args) throws Exception {
    Context.Builder builder =
        Context.newBuilder("js")
            .allowExperimentalOptions(true)
            .option("engine.WarnInterpreterOnly", "false");
    for (int i = 1; i < args.length; i++) {
      String[] option = args[i].split("=", 2);
      builder.option(option[0], option[1]);
    }
    try (Context context = builder.build()) {
      System.out.println(context.eval("js", Files.readString(Path.of(args[0]))).asString());
    }
  }
}
JAVA
  run_jars "graaljs-$1" Evaluate.java "${@:2}"
}

install_npm() { # FOLDER PACKAGE@VERSION...: with what they depend on
  have npm || die 2 "npm is not installed (package npm)"
  npm install --silent --no-fund --no-audit --prefix "$work/$1" "${@:2}" >npm.log 2>&1 ||
    die 2 "npm cannot fetch ${*:2}: $(tail -n 1 npm.log)"
}

fetch_npm() { # PACKAGE VERSION: prints the path of the command of that name
  install_npm "npm-$1" "$1@$2"
  printf '%s\n' "$work/npm-$1/node_modules/.bin/$1"
}

fetch_node() { # VERSION: sets node to the command
  # shellcheck disable=SC2034 # the caller uses it
  node=$(fetch_npm node "$1")
}

fetch_deno() { # VERSION: sets deno to the command
  # shellcheck disable=SC2034 # the caller uses it
  deno=$(fetch_npm deno "$1")
}
