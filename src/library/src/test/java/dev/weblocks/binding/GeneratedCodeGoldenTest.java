package dev.weblocks.binding;

import dev.weblocks.idl.IdlModel;
import dev.weblocks.idl.IdlParser;
import dev.weblocks.idl.MergedInterface;
import dev.weblocks.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code that is generated from a small IDL file per construct, in a secure window. */
class GeneratedCodeGoldenTest {

  private static final String FOLDER = "dev/weblocks/binding/golden/";
  private static final Set<String> WINDOW = Set.of("Window");

  static List<String> constructs() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/library/src/test/resources", FOLDER))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".idl"))
          .map(name -> name.substring(0, name.length() - ".idl".length()))
          .sorted()
          .toList();
    }
  }

  /** Returns code for all operations named {@code offered}, which take a promise of script. */
  private static Implementations implementations() {
    Implementations implementations = new Implementations();
    implementations
        .implement("A", DOMException.class)
        .promiseOperation("offered", (self, args) -> args.promise());
    return implementations;
  }

  @ParameterizedTest
  @MethodSource("constructs")
  void idl_construct_yields_the_code_of_its_golden_file(String construct) {
    String resource = "/" + FOLDER + construct + ".idl";
    IdlModel model =
        IdlModel.of(List.of(IdlParser.parse(resource, Resources.text(getClass(), resource))));
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (MergedInterface each : model.interfaces()) {
      ids.put(each.name(), ids.size());
    }
    InterfaceCode writer =
        new InterfaceCode(
            model,
            ids,
            new MemberTable(model, implementations()),
            each -> each.exposedIn(WINDOW, true, false),
            each -> each.exposedIn(WINDOW, true, false),
            each -> each.exposedIn(WINDOW, true, false),
            each -> each.exposedIn(WINDOW, true, false),
            true);
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < writer.parts(); i++) {
      String part = writer.part(i);
      if (part != null) {
        code.append(part);
      }
    }
    model
        .dictionaries()
        .forEach(each ->
            code.append("// members of ")
                .append(each.name())
                .append(": ")
                .append(JsLiteral.of(writer.dictionary(each.name())))
                .append('\n'));
    code.append("// names of the global: ").append(writer.exposures()).append('\n');
    code.append("// enumerations: ").append(JsLiteral.of(writer.enums())).append('\n');
    Golden.check(FOLDER + construct + ".js", code.toString());
  }
}
