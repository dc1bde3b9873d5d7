#!/usr/bin/env bash
# Deno: a process does not end while it holds a lock, even if nothing else is left to do than a timer that does not keep it
# alive. Node ends at once, and so drops the lock.
#
#   findings/deno-held-lock-keeps-the-process.sh
#
# Guess before the first run: both end at once, as the promise of a lock keeps no event loop alive.
# Seen: Deno 2.9.6 waits for the timer and runs the callback of the next request. Node 26.10.0 prints nothing.
# Installs both into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='deno-held-lock-keeps-the-process'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly NODE=26.10.0 DENO=2.9.6

fetch_node "$NODE"
fetch_deno "$DENO"

cat >held.mjs <<'JS'
navigator.locks.request('a', () => new Promise(release => {
  const timer = setTimeout(() => { console.log('timer'); release(); }, 1000);
  typeof Deno === 'object' ? Deno.unrefTimer(timer) : timer.unref();
}));
navigator.locks.request('a', () => console.log('next holder'));
JS
of_node=$("$node" held.mjs | paste -sd ' ' -)
of_deno=$("$deno" run held.mjs | paste -sd ' ' -)
echo "Node $NODE prints: '$of_node'"
echo "Deno $DENO prints: '$of_deno'"
[ "$of_node" = '' ] || die 1 "Node behaves otherwise"
[ "$of_deno" = 'timer next holder' ] || die 1 "Deno behaves otherwise"
