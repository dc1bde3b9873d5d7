#!/usr/bin/env bash
# Node: `request()` of navigator.locks accepts any receiver and grants it a lock, which the real manager shows as held.
# `query()` with another receiver fails with the text of a defect. By Web IDL, and in Deno, both reject with a TypeError
# about the receiver.
#
#   findings/node-locks-of-other-receivers.sh
#
# Guess before the first run: both operations reject with a TypeError, as its constructor throws one.
# Seen: as described, in Node 26.10.0. Deno 2.9.6 rejects both.
# Installs both into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='node-locks-of-other-receivers'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly NODE=26.10.0 DENO=2.9.6

fetch_node "$NODE"
fetch_deno "$DENO"

cat >receivers.mjs <<'JS'
const {request, query} = navigator.locks;
const outcome = async steps => {
  try {
    return await steps();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const held = async () => (await navigator.locks.query()).held.map(lock => lock.name).join();
console.log([
  await outcome(() => request.call({}, 'mine', async lock => `${lock.name} granted, held: ${await held()}`)),
  await outcome(() => query.call({})),
].join('; '));
JS
of_node=$("$node" receivers.mjs)
of_deno=$("$deno" run receivers.mjs)
echo "Node $NODE: $of_node"
echo "Deno $DENO: $of_deno"
[ "$of_node" = 'mine granted, held: mine; TypeError: ERR_INVALID_THIS is not a constructor' ] || die 1 "Node behaves otherwise"
[ "$of_deno" = 'TypeError: Illegal invocation; TypeError: Illegal invocation' ] || die 1 "Deno behaves otherwise"
