package dev.weblocks.harness.differ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weblocks.harness.differ.model.Program;
import dev.weblocks.harness.differ.model.Statement;
import dev.weblocks.harness.differ.model.Statement.Callback;
import dev.weblocks.harness.differ.model.Value;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProgramGeneratorTest {

  private static final List<Program> PROGRAMS =
      LongStream.range(0, 3_000).mapToObj(ProgramGenerator::generate).toList();

  private static Stream<Statement> statements() {
    return PROGRAMS.stream().flatMap(program -> program.statements().stream());
  }

  private static Set<String> names(Stream<?> objects) {
    return objects
        .map(each -> each instanceof Enum<?> constant ? constant.name() : each.getClass().getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> all(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .map(Class::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> constants(Enum<?>[] values) {
    return names(Arrays.stream(values));
  }

  private static Stream<Statement.Request> requests() {
    return statements()
        .filter(Statement.Request.class::isInstance)
        .map(Statement.Request.class::cast);
  }

  @Test
  void seed_decides_the_program() {
    assertEquals(ProgramGenerator.generate(7), ProgramGenerator.generate(7));
    assertTrue(new HashSet<>(PROGRAMS).size() == PROGRAMS.size());
  }

  @Test
  void every_kind_of_statement_value_and_realm_occurs() {
    assertEquals(all(Statement.class), names(statements()));
    Stream<Value> values =
        statements()
            .flatMap(each ->
                switch (each) {
                  case Statement.Settle settle -> Stream.of(settle.value());
                  case Statement.Await await -> Stream.of(await.value());
                  case Statement.Request request
                      when request.callback() instanceof Callback.Function function ->
                      Stream.of(function.result());
                  default -> Stream.of();
                });
    assertEquals(all(Value.class), names(values));
    assertEquals(
        constants(Program.Kind.values()),
        names(PROGRAMS.stream().flatMap(each -> each.realms().stream()).map(Program.Realm::kind)));
  }

  @Test
  void every_kind_of_request_occurs() {
    assertEquals(all(Callback.class), names(requests().map(Statement.Request::callback)));
    assertEquals(
        constants(Statement.Name.Form.values()), names(requests().map(each -> each.name().form())));
    assertEquals(
        constants(Statement.Options.Form.values()),
        names(requests().map(each -> each.options().form())));
    assertEquals(
        constants(Statement.Key.values()),
        names(
            requests()
                .flatMap(each -> each.options().members().stream())
                .map(Statement.Member::key)));
    assertEquals(
        constants(Statement.Member.Access.values()),
        names(
            requests()
                .flatMap(each -> each.options().members().stream())
                .map(Statement.Member::access)));
    assertTrue(requests().anyMatch(each -> each.name().text().startsWith("-")));
    assertTrue(requests().anyMatch(each -> each.manager() != null));
    assertTrue(requests().anyMatch(Statement.Request::brokenThis));
  }

  @Test
  void await_stands_only_in_async_functions() {
    for (Program program : PROGRAMS) {
      ProgramScript.files(program)
          .files()
          .forEach((path, text) -> assertTrue(text.contains("\n"), path));
      for (Program.Realm realm : program.realms()) {
        assertTrue(realm.body().stream().noneMatch(Statement.Await.class::isInstance));
      }
    }
  }
}
