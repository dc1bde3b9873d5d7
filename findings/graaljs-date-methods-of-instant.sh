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
program=''graaljs-date-methods-of-instant''
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly ENGINE=25.5.5.0.3 NODE=26.10.0

fetch_graaljs "$ENGINE"
fetch_node "$NODE"

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
of_graaljs=$(eval_graaljs "$ENGINE" receivers.js js.ecmascript-version=staging)
of_node=$("$node" --print "$(cat receivers.js)")
echo "GraalJS $ENGINE, of an Instant: $of_graaljs"
echo "Node $NODE, of an Instant: $of_node"
[ "$of_graaljs" = '86400000 1970-01-02T00:00:00.000Z, of a Map: TypeError TypeError' ] || die 1 "GraalJS behaves otherwise"
[ "$of_node" = 'TypeError TypeError, of a Map: TypeError TypeError' ] || die 1 "Node behaves otherwise"
