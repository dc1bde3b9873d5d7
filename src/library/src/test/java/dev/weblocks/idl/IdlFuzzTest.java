package dev.weblocks.idl;

import dev.weblocks.testing.FuzzTarget;
import java.util.List;

/**
 * Any text is either parsed or rejected with an {@link IdlSyntaxException}; a parsed one is a model
 * or rejected with an {@link IdlModelException}.
 */
class IdlFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    try {
      IdlModel.of(List.of(IdlParser.parse("fuzz.idl", text(input)))).interfaces();
    } catch (IdlSyntaxException | IdlModelException documented) {
      // part of the contract
    }
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("typedef ", "sequence<", "long"),
        new Shape("typedef ", "Promise<", "long"),
        new Shape("typedef ", "record<DOMString, ", "long"),
        new Shape("typedef ", "(long or ", "long"),
        new Shape("typedef ", "(", "long"),
        new Shape("", "typedef N~ N#; ", "typedef long N0;"),
        new Shape("", "typedef N~ N#; ", "typedef long N0; dictionary D { N9 n; };"),
        new Shape("", "interface I# {}; ", ""),
        new Shape("", "[Exposed=*] interface N~ : N# {}; ", "[Exposed=*] interface N0 {};"),
        new Shape("", "dictionary N~ : N# {}; ", "dictionary N0 {};"),
        new Shape("interface I { ", "attribute long a#; ", "};"),
        new Shape("", "[A(optional ", ""),
        new Shape("", "[A=B(", ""),
        new Shape("", "[A((", "x"),
        new Shape("[A", "(", "]"),
        new Shape("[A", "()", "] interface I {};"),
        new Shape("interface I { const long a = ", "1", "; };"),
        new Shape("interface I { const long a = 0x", "f", "; };"),
        new Shape("interface I { const long a = ", "0", "; };"),
        new Shape("interface I { const double a = ", "1", ".5; };"),
        new Shape("enum E { ", "\"a\", ", "};"),
        new Shape("/", "*", ""),
        new Shape("", "/", ""),
        new Shape("", "\n", "x"),
        new Shape("", "-", ""),
        new Shape("", "a", ""),
        new Shape("interface I { undefined f(", "long a,", "long b); };"));
  }
}
