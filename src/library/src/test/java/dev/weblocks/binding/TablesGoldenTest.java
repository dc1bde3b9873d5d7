package dev.weblocks.binding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/** The tables of the binder for a small IDL file per construct, in a secure window. */
class TablesGoldenTest {

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

  @ParameterizedTest
  @MethodSource("constructs")
  void idl_construct_yields_the_tables_of_its_golden_file(String construct)
      throws JsonProcessingException {
    String resource = "/" + FOLDER + construct + ".idl";
    IdlModel model =
        IdlModel.of(List.of(IdlParser.parse(resource, Resources.text(getClass(), resource))));
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (MergedInterface each : model.interfaces()) {
      ids.put(each.name(), ids.size());
    }
    Map<String, Object> tables =
        new InterfaceTables(
                model,
                ids,
                new MemberTable(model, new Implementations()),
                each -> each.exposedIn(WINDOW, true, false),
                each -> each.exposedIn(WINDOW, true, false),
                each -> each.exposedIn(WINDOW, true, false),
                each -> each.exposedIn(WINDOW, true, false),
                true)
            .tables();
    DefaultPrettyPrinter lines =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
    Golden.check(
        FOLDER + construct + ".json",
        JsonMapper.builder().build().writer(lines).writeValueAsString(tables));
  }
}
