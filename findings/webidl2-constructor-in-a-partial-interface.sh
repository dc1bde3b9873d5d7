#!/usr/bin/env bash
# webidl2: a partial interface may have a constructor, and validate() does not complain. By the grammar of Web IDL, only an
# interface itself has one (PartialInterfaceMember is without it). @webref/idl, whose texts are checked with webidl2, has two
# such partial interfaces, which a parser of the grammar refuses.
#
#   findings/webidl2-constructor-in-a-partial-interface.sh
#
# Guess before the first run: webidl2 follows the grammar, and so all texts of @webref/idl do.
# Seen: webidl2 24.5.0 accepts it, but refuses a constructor in a mixin and in a namespace. @webref/idl 3.85.0 has one in
# mediacapture-surface-control.idl and in webrtc-ice.idl.
# Installs both into a temporary folder.
# Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='webidl2-constructor-in-a-partial-interface'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly WEBIDL2=24.5.0 WEBREF=3.85.0

fetch_node 26.10.0
install_npm parser "webidl2@$WEBIDL2" "@webref/idl@$WEBREF"
cd parser
cat >parse.mjs <<'JS'
import {readdirSync, readFileSync} from 'node:fs';
import {parse, validate} from 'webidl2';

const folder = 'node_modules/@webref/idl/';
const verdict = text => {
  try {
    return validate(parse(text)).some(problem => problem.level === 'error') ? 'invalid' : 'accepted';
  } catch {
    return 'refused';
  }
};
console.log('partial interface:', verdict('[Exposed=Window] interface A {}; partial interface A { constructor(); };'));
console.log('mixin:', verdict('interface mixin M { constructor(); };'));
console.log('namespace:', verdict('[Exposed=Window] namespace N { constructor(); };'));
const found = [];
for (const file of readdirSync(folder).filter(name => name.endsWith('.idl'))) {
  for (const each of parse(readFileSync(folder + file, 'utf8'))) {
    if (each.partial && each.type === 'interface' && each.members.some(member => member.type === 'constructor')) {
      found.push(file);
    }
  }
}
console.log('@webref/idl:', found.join(' '));
JS
seen=$("$node" parse.mjs)
echo "webidl2 $WEBIDL2, @webref/idl $WEBREF:"
echo "$seen"
[ "$seen" = 'partial interface: accepted
mixin: refused
namespace: refused
@webref/idl: mediacapture-surface-control.idl webrtc-ice.idl' ] || die 1 'behaves otherwise'
