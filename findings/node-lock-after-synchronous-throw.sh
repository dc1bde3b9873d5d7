#!/usr/bin/env bash
# Node: a lock whose callback throws synchronously is never released. By the Working Draft (Web Locks, 4.2), and in Deno, the
# exception rejects the promise that the lock waits for, and the lock is released, as after an async callback that throws.
#
#   findings/node-lock-after-synchronous-throw.sh
#
# Guess before the first run: both callbacks release the lock, since both requests are rejected with the error.
# Seen: in Node 26.10.0 the lock stays in the held set until the process ends, also if `ifAvailable` was set. In Deno 2.9.6
# it is free.
# Installs both into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='node-lock-after-synchronous-throw'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly NODE=26.10.0 DENO=2.9.6

fetch_node "$NODE"
fetch_deno "$DENO"

cat >throws.mjs <<'JS'
const free = name => navigator.locks.request(name, {ifAvailable: true}, lock => lock !== null);
const after = async (name, options, callback) => {
  const outcome = await navigator.locks.request(name, options, callback).catch(error => error.message);
  await new Promise(resolve => setTimeout(resolve, 100));
  return `${name}: ${outcome}, ${await free(name) ? 'free' : 'held'}`;
};
console.log([
  await after('async', {}, async () => { throw new Error('mine'); }),
  await after('sync', {}, () => { throw new Error('mine'); }),
  await after('ifAvailable', {ifAvailable: true}, () => { throw new Error('mine'); }),
].join('; '));
JS
of_node=$("$node" throws.mjs)
of_deno=$("$deno" run throws.mjs)
echo "Node $NODE: $of_node"
echo "Deno $DENO: $of_deno"
[ "$of_node" = 'async: mine, free; sync: mine, held; ifAvailable: mine, held' ] || die 1 "Node behaves otherwise"
[ "$of_deno" = 'async: mine, free; sync: mine, free; ifAvailable: mine, free' ] || die 1 "Deno behaves otherwise"
