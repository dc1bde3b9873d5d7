#!/usr/bin/env bash
# Other implementations of Web Locks: how many subtests of the .any.js files of the web-platform-tests pass in one window, and
# which runtimes have no navigator.locks. Prints the rows of the table in docs/CONFORMANCE.md.
#
#   findings/web-locks-of-peers.sh
#
# Guess before the first run: the polyfills pass most, since their users rely on them, and happy-dom has no navigator.locks, like
# jsdom. Seen: web-locks 0.0.9 passes 3 of 120 and web-locks-polyfill 0.0.13 passes 2; navigator.locks of happy-dom 21.0.4 is
# null. The rest is in the table.
# Installs all into a temporary folder, and fetches the WPT files into your cache. Takes ten minutes.
# Exit status: 0 the rows are those of the document, 1 a row differs, 2 cannot run.
set -euo pipefail
program='web-locks-of-peers'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly NODE=26.10.0 DENO=2.9.6 BUN=1.4.5 WORKERD=1.20261117.1 EDGE_VM=5.0.0
readonly JSDOM=31.0.1 HAPPY_DOM=21.0.4 ESBUILD=0.28.2
readonly NAVIGATOR_LOCKS=0.9.1 WEB_LOCKS=0.0.9 WEB_LOCKS_POLYFILL=0.0.13

"$here/../scripts/fetch-wpt" --quiet || die 2 "the WPT files cannot be fetched"
wpt=$("$here/../scripts/fetch-wpt" --print-dir)
install_npm peers "node@$NODE" "deno@$DENO" "bun@$BUN" "workerd@$WORKERD" "@edge-runtime/vm@$EDGE_VM" "jsdom@$JSDOM" \
  "happy-dom@$HAPPY_DOM" "esbuild@$ESBUILD" "navigator.locks@$NAVIGATOR_LOCKS" "web-locks@$WEB_LOCKS" \
  "web-locks-polyfill@$WEB_LOCKS_POLYFILL"
cd peers
bin=node_modules/.bin

# Runs a file in a window of its own; prints how many subtests passed. HOST is jsdom, happy-dom or the process itself. SETUP adds
# navigator.locks: a script for the window, or a module (.mjs) for the process.
cat >one.mjs <<'JS'
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import vm from 'node:vm';

const [wpt, file, host, setup] = process.argv.slice(2);
const makers = {
  async process(url) {
    const add = (name, value) => Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
    add('self', globalThis);
    add('location', new URL(url));
    if (typeof Window === 'undefined') add('Window', function Window() {});
    return {window: globalThis, evaluate: script => script.runInThisContext(), start() {}};
  },
  async jsdom(url) {
    const {JSDOM} = await import('jsdom');
    const dom = new JSDOM('<!doctype html>', {url, runScripts: 'outside-only', pretendToBeVisual: true});
    const context = dom.getInternalVMContext();
    return {window: dom.window, evaluate: script => script.runInContext(context), start() {}};
  },
  async 'happy-dom'(url) {
    const {Window} = await import('happy-dom');
    const settings = {enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true};
    const window = new Window({url, settings});
    return {
      window,
      evaluate: script => script.runInContext(window),
      start: () => window.dispatchEvent(new window.Event('load')), // no page was loaded
    };
  },
};
const origin = file.includes('.https.') ? 'https://web-platform.test:8443' : 'http://web-platform.test:8000';
const {window, evaluate, start} = await makers[host](`${origin}/web-locks/${file.replace('.any.js', '.any.html')}`);
const run = path => evaluate(new vm.Script(readFileSync(path, 'utf8'), {filename: path}));
const passed = new Set();
const end = () => {
  console.log(passed.size);
  process.exit(0);
};
// they concern the status of the file, not those of its subtests
for (const type of ['unhandledRejection', 'uncaughtException']) process.on(type, () => {});
globalThis.addEventListener?.('unhandledrejection', event => event.preventDefault());
window.fetch = async path => ({ok: true, text: async () => readFileSync(join(wpt, path), 'utf8')});
window.GLOBAL = {isWindow: () => true, isWorker: () => false, isShadowRealm: () => false};
if (setup?.endsWith('.mjs')) await import(`./${setup}`);
else if (setup) run(setup);
run(join(wpt, 'resources/testharness.js'));
window.add_result_callback(test => {
  if (test.status === test.PASS) passed.add(test.name);
});
window.add_completion_callback(end);
setTimeout(end, 12_000); // some never complete
const path = join(wpt, 'web-locks', file);
for (const [, script] of readFileSync(path, 'utf8').matchAll(/^\/\/ META: script=(.*)$/gm)) {
  const served = script.replace('WebIDLParser.js', 'webidl2/lib/webidl2.js'); // as WPT's server does
  run(join(wpt, served.startsWith('/') ? served : `web-locks/${served}`));
}
run(path);
start();
JS
echo "import {locks} from 'web-locks'; Object.defineProperty(navigator, 'locks', {value: locks});" >web-locks.mjs
echo "import 'web-locks-polyfill';" | "$bin/esbuild" --bundle --log-level=error --outfile=web-locks-polyfill.js
cp node_modules/navigator.locks/dist/index.umd.js navigator.locks.js

differing=0
row() { # NAME VALUE
  local row="| $1 | $2 |"
  echo "$row"
  grep -q -x -F "$row" "$findings/../docs/CONFORMANCE.md" || differing=1
}
passes() { # NAME HOST [SETUP]: COMMAND is an array
  local file passed sum=0
  for file in "$wpt"/web-locks/*.any.js; do
    passed=$("${command[@]}" one.mjs "$wpt" "$(basename "$file")" "${@:2}" 2>one.err | tail -n 1)
    case $passed in '' | *[!0-9]*) die 2 "$1 cannot run $(basename "$file"): $(tail -n 5 one.err)" ;; esac
    sum=$((sum + passed))
  done
  row "$1" "$sum"
}
command=("$bin/deno" run --allow-all)
passes "Deno $DENO" process
command=("$bin/node")
passes "Node $NODE" process
passes "navigator.locks $NAVIGATOR_LOCKS in jsdom $JSDOM" jsdom navigator.locks.js
passes "navigator.locks $NAVIGATOR_LOCKS in happy-dom $HAPPY_DOM" happy-dom navigator.locks.js
passes "web-locks $WEB_LOCKS in Node $NODE" process web-locks.mjs
passes "web-locks-polyfill $WEB_LOCKS_POLYFILL in jsdom $JSDOM" jsdom web-locks-polyfill.js

absent() { # NAME COMMAND...: prints the value of navigator.locks on its last line
  local value
  value=$("${@:2}" 2>one.err | tail -n 1) || die 2 "$1 cannot run: $(tail -n 5 one.err)"
  case $value in undefined | null) row "$1" none ;; *) die 1 "navigator.locks of $1 is '$value'" ;; esac
}
echo "console.log(String(globalThis.navigator?.locks))" >absent.mjs
cat >in-jsdom.mjs <<'JS'
import {JSDOM} from 'jsdom';
console.log(String(new JSDOM('').window.navigator.locks));
JS
cat >in-happy-dom.mjs <<'JS'
import {Window} from 'happy-dom';
console.log(String(new Window().navigator.locks));
process.exit(0);
JS
cat >in-edge.mjs <<'JS'
import {EdgeVM} from '@edge-runtime/vm';
console.log(new EdgeVM().evaluate('String(globalThis.navigator?.locks)'));
JS
cat >workerd.capnp <<'CAPNP'
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2026-11-01");
CAPNP
echo "export default {test() { console.log(String(globalThis.navigator?.locks)); }};" >worker.mjs
absent "jsdom $JSDOM" "$bin/node" in-jsdom.mjs
absent "happy-dom $HAPPY_DOM" "$bin/node" in-happy-dom.mjs
absent "Bun $BUN" "$bin/bun" absent.mjs
absent "workerd $WORKERD" "$bin/workerd" test workerd.capnp
absent "@edge-runtime/vm $EDGE_VM" "$bin/node" in-edge.mjs
[ "$differing" = 0 ] || die 1 "rows differ from those in docs/CONFORMANCE.md"
