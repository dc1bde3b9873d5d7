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
program='graaljs-late-regexp-error'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly ENGINE=25.5.5.0.3 NODE=26.10.0

fetch_graaljs "$ENGINE"
fetch_node "$NODE"

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
eval_graaljs "$ENGINE" when.js >graaljs.txt
"$node" --print "$(cat when.js)" >node.txt
echo "GraalJS $ENGINE"
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
