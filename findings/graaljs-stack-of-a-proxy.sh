#!/usr/bin/env bash
# GraalJS: Error.captureStackTrace() of a proxy does nothing: no property is defined and no trap called. Node throws a
# TypeError. With a limit that is no number, GraalJS leaves out the frames, while errors in Node have no stack at all.
#
#   findings/graaljs-stack-of-a-proxy.sh
#
# Guess before the first run: the option js.stack-trace-api gives what V8 has, so both are as in Node.
# Seen: GraalJS 25.5.5.0.3 differs in both from Node 26.10.0.
# Installs both into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='graaljs-stack-of-a-proxy'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly ENGINE=25.5.5.0.3 NODE=26.10.0

fetch_graaljs "$ENGINE"
fetch_node "$NODE"

cat >stacks.js <<'JS'
(() => {
  const proxy = new Proxy({}, {});
  let of_proxy;
  try {
    Error.captureStackTrace(proxy);
    of_proxy = typeof proxy.stack;
  } catch (error) {
    of_proxy = error.name;
  }
  Error.stackTraceLimit = '5';
  return `proxy: ${of_proxy}, limit of another type: ${new Error('mine').stack}`;
})()
JS
of_graaljs=$(eval_graaljs "$ENGINE" stacks.js js.stack-trace-api=true)
of_node=$("$node" --print "$(cat stacks.js)")
echo "GraalJS $ENGINE: $of_graaljs"
echo "Node $NODE: $of_node"
[ "$of_graaljs" = 'proxy: undefined, limit of another type: Error: mine' ] || die 1 "GraalJS behaves otherwise"
[ "$of_node" = 'proxy: TypeError, limit of another type: undefined' ] || die 1 "Node behaves otherwise"
