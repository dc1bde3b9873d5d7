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
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
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
eval_graaljs "$ENGINE" names.js js.ecmascript-version=staging >graaljs.txt
echo "GraalJS $ENGINE"
printf 'Node %s\n' "$("$node" --version)"
"$node" --print "$(cat names.js)" >node.txt

printf '%s members of Temporal in Node\n' "$(wc -l <node.txt | tr -d ' ')"
printf 'only in GraalJS: %s\n' "$(LC_ALL=C comm -23 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt) | paste -sd ' ' -)"
printf 'only in Node: %s\n' "$(LC_ALL=C comm -13 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt) | paste -sd ' ' -)"
[ "$(LC_ALL=C comm -3 <(LC_ALL=C sort graaljs.txt) <(LC_ALL=C sort node.txt))" = PlainTime.prototype.calendar ] ||
  die 1 "the members of Temporal differ otherwise than by PlainTime.prototype.calendar"
