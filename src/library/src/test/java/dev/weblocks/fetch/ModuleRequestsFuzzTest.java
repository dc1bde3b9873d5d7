package dev.weblocks.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.testing.FuzzTarget;
import java.util.List;

/**
 * The text of a module. Nothing throws, and each specifier is at its place in the text, before and
 * after the change for the engine.
 */
class ModuleRequestsFuzzTest extends FuzzTarget {

  @Override
  protected void accept(byte[] input) {
    String text = text(input);
    List<ModuleRequests.Request> requests = ModuleRequests.of(text);
    String changed = ModuleSpecifiers.forEngine(text, requests, true);
    assertEquals(text.length(), changed.length());
    int end = 0;
    for (ModuleRequests.Request request : requests) {
      String specifier = request.specifier();
      assertTrue(request.start() >= end, () -> "out of order: " + requests);
      end = request.start() + specifier.length();
      assertTrue(text.startsWith(specifier, request.start()), specifier);
      String seen = ModuleSpecifiers.engineSpecifier(specifier, true);
      if (!seen.equals(specifier)) {
        assertEquals(specifier, ModuleSpecifiers.asWritten(seen));
      }
      ModuleSpecifiers.resolve(null, specifier);
    }
  }

  @Override
  protected List<Shape> shapes() {
    return List.of(
        new Shape("import", "(", ""),
        new Shape("", "import('a',", ""),
        new Shape("", "import(`${", ""),
        new Shape("", "import\"a\"", ""),
        new Shape("", "import \"a\" with ", ""),
        new Shape("", "import {", ""),
        new Shape("", "export {} ", ""),
        new Shape("", "import/*", ""),
        new Shape("import ", "a,", ""),
        new Shape("import ", "from", "\"a\""),
        new Shape("import", "`${", ""),
        new Shape("import ", "/", ""),
        new Shape("import {", "} from ", ""),
        new Shape("import \"", "\\", "\""),
        new Shape("import ", "{", ""));
  }
}
