package dev.weblocks.idl;

import java.util.List;

/**
 * One parsed <a href="https://webidl.spec.whatwg.org/#dfn-idl-fragment">IDL fragment</a>.
 *
 * @param source name of the text, as it appears in error messages
 * @param definitions the definitions in text order; immutable
 */
public record IdlFile(String source, List<Definition> definitions) {

  public IdlFile {
    definitions = List.copyOf(definitions);
  }
}
