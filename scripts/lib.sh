# shellcheck shell=bash
# Shared by the scripts beside it; sourced, never run. The caller sets $program, the name that its
# messages start with. For bash 3.2 and up.
: "${program:?is set by the script that sources this}"

unset CDPATH # or a cd to a relative folder may go elsewhere

# Without HOME, the home folder is taken from the user database.
if [ -z "${HOME:-}" ]; then
  unset HOME
  HOME=~
  export HOME
fi

warn() { printf '%s: warning: %s\n' "$program" "$*" >&2; }
die() { # STATUS MESSAGE...
  local status=$1
  shift
  printf '%s: %s\n' "$program" "$*" >&2
  exit "$status"
}
have() { command -v "$1" >/dev/null 2>&1; }

# Waits until no other process holds the lock NAME. A flock ends with its holder. Where flock is missing
# (macOS), the lock is a folder with the holder's pid; one whose holder has ended is taken over.
# The caller removes $lock_dir when it ends, if that is set. Background jobs should close fd 9.
lock_dir=''
lock() { # NAME WHAT
  local told=0 holder
  if have flock; then
    exec 9>"$1"
    if ! flock -n 9; then
      printf '%s: another %s is running; waiting for it\n' "$program" "$2" >&2
      flock 9
    fi
    return
  fi
  until mkdir "$1.d" 2>/dev/null; do
    holder=$(cat "$1.d/pid" 2>/dev/null || true)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$1.d"
      continue
    fi
    [ "$told" = 1 ] || printf '%s: another %s is running; waiting for it\n' "$program" "$2" >&2
    told=1
    sleep 1
  done
  echo $$ >"$1.d/pid"
  lock_dir=$1.d
}
unlock() {
  if [ -n "$lock_dir" ]; then rm -rf "$lock_dir"; else exec 9>&-; fi
  lock_dir=''
}

sha256() {
  if have sha256sum; then sha256sum; else shasum -a 256; fi
}

# Records the sizes of the files in FOLDER that the patterns name, and writes their data to the disk: after a crash of
# the machine, a file that was only renamed into place may be empty.
record_sizes() { # FOLDER PATTERN...
  local sizes
  sizes=$(sizes_in "$@")
  printf '%s\n' "$sizes" >"$1/sizes"
  sync_files "$1"
}

is_whole() { # FOLDER PATTERN...: are the files those whose sizes were recorded?
  [ -s "$1/sizes" ] && [ "$(sizes_in "$@")" = "$(<"$1/sizes")" ]
}

sizes_in() { # FOLDER PATTERN...
  local -x LC_ALL=C
  local folder=$1
  shift
  # The language of the user would determine the order of the files, and the word for the total.
  # shellcheck disable=SC2068 # patterns
  (cd "$folder" && wc -c $@ 2>/dev/null)
}

sync_files() { # FILE-OR-FOLDER: writes the data of its file system to the disk
  sync -f "$1" 2>/dev/null || sync # that of macOS takes no arguments
}

# Ends a background job that has a process group of its own (set -m), with all processes that it has started.
# Kills those that do not end within some seconds.
kill_group() { # PID
  local tries=0
  kill -TERM -- "-$1" 2>/dev/null || return 0
  while kill -0 -- "-$1" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || kill -KILL -- "-$1" 2>/dev/null || true
    [ "$tries" -lt 60 ] || break
    sleep 0.1
  done
  wait "$1" 2>/dev/null || true
}

# Waits for a background job; false if it has not ended after so many seconds.
wait_at_most() { # SECONDS PID
  local end=$((SECONDS + $1))
  while kill -0 "$2" 2>/dev/null; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# Sets jdk_version to the Java version that the JDK in $1 states; false for none. Reads its release
# file, because starting java would take longer than everything else.
jdk_version_of() { # JAVA_HOME
  local key value
  jdk_version=''
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS='=' read -r key value; do
    if [ "$key" = JAVA_VERSION ]; then
      value=${value#\"}
      jdk_version=${value%%\"*}
    fi
  done <"$1/release"
  [ -n "$jdk_version" ]
}

# Sets rank to a number that is greater for a more suitable Java version: first 25, on which Weblocks is
# measured, then 24 down to 21, then newer, untested versions. 0 for a version that is too old.
jdk_rank() { # VERSION
  local feature update
  IFS='._+-' read -r feature _ update _ <<<"$1"
  case $feature in '' | *[!0-9]*) feature=0 ;; esac
  case ${update:-} in '' | *[!0-9]*) update=0 ;; esac
  if [ "$feature" -lt 21 ]; then
    rank=0
  elif [ "$feature" -le 25 ]; then
    rank=$((feature * 1000 + 100000 + 10#$update))
  else
    rank=$(((1000 - feature) * 100))
  fi
}

# Sets jdk_homes to the folders where a JDK of this machine may be.
list_jdk_homes() {
  local path_java target
  path_java=$(command -v java || true)
  while [ -L "$path_java" ]; do
    target=$(readlink "$path_java")
    case $target in /*) path_java=$target ;; *) path_java=${path_java%/*}/$target ;; esac
  done
  jdk_homes=("${JAVA_HOME:-}" "${path_java%/bin/java}" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk*
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*
    /Library/Java/JavaVirtualMachines/*/Contents/Home
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home)
}

# Sets jdk_home and jdk_version to the best JDK of the machine: JAVA_HOME if it is 21 or newer, else
# the best of PATH and the usual folders. False if there is none; old_jdk then names one that is too old, if any.
find_jdk() {
  local candidate best=0 best_version='' rank jdk_homes
  jdk_home='' old_jdk=''
  list_jdk_homes
  for candidate in "${jdk_homes[@]}"; do
    jdk_version_of "$candidate" || continue
    jdk_rank "$jdk_version"
    if [ "$rank" = 0 ]; then
      old_jdk=${old_jdk:-"JDK $jdk_version in $candidate"}
    elif [ "$rank" -gt "$best" ]; then
      best=$rank best_version=$jdk_version jdk_home=$candidate
      [ "$candidate" != "${JAVA_HOME:-}" ] || break
    fi
  done
  jdk_version=$best_version
  [ -n "$jdk_home" ]
}

# Sets jdk_home and jdk_version to a JDK of this feature version. False if there is none; both are unchanged then.
find_jdk_of() { # FEATURE
  local candidate jdk_homes previous=$jdk_version
  list_jdk_homes
  for candidate in "${jdk_homes[@]}"; do
    if jdk_version_of "$candidate" && [ "${jdk_version%%[._+-]*}" = "$1" ]; then
      jdk_home=$candidate
      return 0
    fi
  done
  jdk_version=$previous
  return 1
}

apt_install() { # PACKAGE...: false where that is not possible
  [ "$(id -u)" = 0 ] && have apt-get || return 1
  # Lists that cannot be read, such as those of a source that is down, do not prevent the installation.
  [ "${apt_updated:-0}" = 1 ] || apt-get update -qq </dev/null >/dev/null 2>&1 || true
  apt_updated=1
  local package
  for package in "$@"; do
    [ -n "$(apt-cache madison "$package" 2>/dev/null)" ] || return 1
  done
  printf '%s: installing %s with apt-get\n' "$program" "$*" >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" </dev/null >/dev/null 2>&1 ||
    { warn "apt-get could not install $*" && return 1; }
}

need_jdk() { # like find_jdk, but installs one if possible, or ends with advice
  find_jdk && return
  if apt_install openjdk-25-jdk-headless || apt_install openjdk-21-jdk-headless; then
    find_jdk && return
  fi
  die 2 "no JDK 21 or newer found (looked at JAVA_HOME, PATH and the usual folders${old_jdk:+; found $old_jdk}): install JDK 25, unpack one as /opt/jdk-25, or set JAVA_HOME"
}

need_maven() { # sets maven to the command
  if have mvn; then
    maven=mvn
  elif [ -x "${MAVEN_HOME:-/nonexistent}/bin/mvn" ]; then
    maven=$MAVEN_HOME/bin/mvn
  elif apt_install maven && have mvn; then
    maven=mvn
  else
    die 2 "Maven is not installed: install Maven 3.8 or newer (package maven)"
  fi
}

# Runs Maven on the JDK that find_jdk chose: the formatter needs 21 at least. The first flags suit short runs,
# the last ones silence warnings of Maven's own libraries on JDK 24 and later.
run_maven() {
  JAVA_HOME=$jdk_home \
    MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-} --enable-native-access=ALL-UNNAMED -Dsun.misc.unsafe.memory.access=allow" \
    "$maven" "$@"
}

# Copies the sources of all modules into a folder, without what was built from them.
copy_sources() { # FOLDER
  tar -cf - --exclude=target pom.xml scripts src wpt-harness wpt-subset | tar -xpf - -C "$1"
}

# Makes the local repository DIR with links to the user's own, except for our folder, so that installing
# does not change the user's. Installs the library and the modules that others use with it there: the build of scripts/weblocks or, with
# the argument "publish", a build with sources and javadoc. That uses a copy of the current folder, as tests may run in its
# target folder meanwhile. Sets version, and installed to the folder of its files.
install_in_scratch() { # DIR [publish]
  local own entry folder=$1/dev/weblocks/weblocks jar
  own=$(run_maven -q -B -Dstyle.color=never -Dexpression=settings.localRepository -DforceStdout help:evaluate |
    sed "s/$(printf '\033')\\[[0-9;]*m//g") # some launchers of Maven begin with a colour code
  [ -d "$own" ] || die 2 "the local Maven repository $own does not exist"
  mkdir -p "$folder"
  for entry in "$own"/* "$own"/dev/*; do
    case $entry in */dev | */dev/weblocks | *'*') continue ;; esac
    ln -s "$entry" "$1/${entry#"$own"/}"
  done
  if [ "${2:-}" = publish ]; then
    local copy=$1/copy
    mkdir -p "$copy"
    copy_sources "$copy"
    (cd "$copy" && run_maven -q -B -Dstyle.color=never -Pquick,publish -pl src/library,src/cluster,src/explore -am "-Dmaven.repo.local=$1" install)
    rm -rf "$copy"
    version=$(cd "$folder" && echo */)
    version=${version%/}
  else
    local build
    scripts/weblocks --version >/dev/null || die 2 "the library cannot be built"
    build=target/weblocks/$(<target/weblocks/stamp)
    jar=$(cd "$build/lib" && echo weblocks-[0-9]*.jar)
    jar=${jar%.jar}
    version=${jar#weblocks-}
    mkdir "$folder/$version"
    cp "$build/lib/$jar.jar" "$folder/$version/"
    cp "$build/published-pom.xml" "$folder/$version/$jar.pom"
    local name
    for name in cluster explore; do
      local module=$1/dev/weblocks/weblocks-$name/$version
      mkdir -p "$module"
      cp "$build/lib/weblocks-$name-$version.jar" "$module/"
      cp "$build/published-$name-pom.xml" "$module/weblocks-$name-$version.pom"
    done
  fi
  # shellcheck disable=SC2034 # the caller reads it
  installed=$folder/$version
}

# ---- sessions: commands and their output ---------------------------------------------------------

sessions=0 # how many commands check_sessions ran
wrong=0    # how many of them printed something else

# Turns the expected text into a pattern of bash in which only … is special.
pattern_of() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\*/\\*}
  text=${text//\?/\\?}
  text=${text//\[/\\[}
  printf '%s' "${text//…/*}"
}

check_session() { # NAME COMMAND EXPECTED
  [ -n "$2" ] || return 0
  if [ "${without_wpt:-0}" = 1 ] && [[ $2 == *'weblocks wpt /'* ]]; then
    echo "skipped: $2"
    return 0
  fi
  local actual pattern
  # without colour codes, which some launchers of Maven print, and without the progress that only a slow
  # machine shows
  actual=$(bash -c "$2" 2>&1 </dev/null | sed -E -e "s/$(printf '\033')\\[[0-9;]*m//g" \
    -e '/^[0-9]+ of [0-9]+ tests, [0-9]+ with unexpected results$/d' -e '/^[0-9,]+ schedules? in .*, no finding$/d' \
    -e '/^[0-9,]+ schedules? in .*, [0-9,]+ findings?$/{$!N;s/^[^\n]*\n(finding: )/\1/}') || true
  pattern=$(pattern_of "${3%$'\n'}")
  sessions=$((sessions + 1))
  # shellcheck disable=SC2053 # a pattern is meant
  if [[ $actual == $pattern ]]; then
    echo "as written: $2"
  else
    wrong=$((wrong + 1))
    printf 'not as written: %s\n--- %s\n%s\n--- here\n%s\n---\n' "$2" "$1" "${3%$'\n'}" "$actual"
  fi
}

# Runs the commands in a file and compares their output: "$ " begins a command, "> " continues it, and
# "…" in the expected output stands for anything, within a line or for any lines. In a Markdown file,
# the blocks called "console" count; in any other file, everything.
check_sessions() { # FILE
  local line name=$1 inside=yes command='' expected=''
  case $1 in *.md) inside='' ;; esac
  while IFS= read -r line || [ -n "$line" ]; do
    case "$inside$line" in
      '```console') inside=yes ;;
      'yes```')
        check_session "$name" "$command" "$expected"
        command='' expected='' inside=''
        ;;
      'yes$ '*)
        check_session "$name" "$command" "$expected"
        command=${line#'$ '} expected=''
        ;;
      'yes> '*)
        if [ -z "$expected" ]; then command+=$'\n'${line#'> '}; else expected+=$line$'\n'; fi
        ;;
      yes*) expected+=$line$'\n' ;;
    esac
  done <"$1"
  check_session "$name" "$command" "$expected"
}
