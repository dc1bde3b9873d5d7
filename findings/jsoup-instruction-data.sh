#!/usr/bin/env bash
# jsoup: reading an attribute of a processing instruction changes its data, from the text of the source to attributes that
# are written anew. Names that differ in case only become one.
#
#   findings/jsoup-instruction-data.sh
#
# Guess before the first run: attr() and hasAttr() change no node, as with elements and comments.
# Seen: jsoup 1.24.1 gives `a=1 A=2` before, and `a="1"` after a look for another attribute.
# Installs it into a temporary folder. Exit status: 0 behaves as described, 1 does not any more, 2 cannot run.
set -euo pipefail
program='jsoup-instruction-data'
here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=findings/lib.sh
. "$here/lib.sh"

readonly JSOUP=1.24.1

fetch_maven jsoup "org.jsoup:jsoup:$JSOUP"
cat >Instruction.java <<'JAVA'
import org.jsoup.nodes.Element;
import org.jsoup.nodes.ProcessingInstruction;
import org.jsoup.parser.Parser;

class Instruction {
  public static void main(String[] args) {
    ProcessingInstruction instruction =
        (ProcessingInstruction)
            Parser.htmlParser().parseFragmentInput("<?page a=1 A=2?>", new Element("p"), "").get(0);
    String before = instruction.data();
    boolean has = instruction.hasAttr("other");
    System.out.println(before + ", " + has + ", " + instruction.data());
  }
}
JAVA
line=$(run_jars jsoup Instruction.java | tail -n 1)
echo "jsoup $JSOUP: $line"
[ "$line" = 'a=1 A=2, false, a="1"' ] || die 1 "jsoup behaves otherwise"
