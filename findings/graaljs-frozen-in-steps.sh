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
program='graaljs-frozen-in-steps'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

cat >frozen.js <<'JS'
const inSteps = [];
Object.defineProperty(inSteps, 0, {value: 'a', writable: false, enumerable: true, configurable: false});
Object.defineProperty(inSteps, 'length', {writable: false});
Object.preventExtensions(inSteps);
const atOnce = Object.freeze(['a']);
const of = list => JSON.stringify(Object.getOwnPropertyDescriptors(list)) + Object.isExtensible(list);
`same descriptors: ${of(inSteps) === of(atOnce)}, in steps: ${Object.isFrozen(inSteps)}, at once: ${Object.isFrozen(atOnce)}`
JS
seen=''
for engine in 24.2.2 25.0.3; do
  fetch_graaljs "$engine"
  line=$(eval_graaljs "$engine" frozen.js)
  echo "GraalJS $engine: $line"
  seen="$seen$line;"
done
[ "$seen" = 'same descriptors: true, in steps: false, at once: true;same descriptors: true, in steps: true, at once: true;' ] ||
  die 1 "Object.isFrozen() returns something else"
