package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effective overload sets, lengths and distinguishing argument indexes. */
class OverloadsTest {

  private static final String WORLD =
      """
      [Exposed=*] interface Plant {};
      [Exposed=*] interface Tree : Plant {};
      [Exposed=*] interface Stone {};
      dictionary Size { long width; };
      enum Colour { "red" };
      callback Grow = undefined ();
      [LegacyTreatNonObjectAsNull] callback OldGrow = any ();
      callback interface Watch { undefined seen(); };
      """;

  private static IdlModel model(String members) {
    String text = WORLD + "[Exposed=*] interface Garden {\n" + members + "\n};";
    return IdlModel.of(List.of(IdlParser.parse("test.idl", text)));
  }

  private static Overloads<Member.Operation> overloads(String operations) {
    OperationGroup group = model(operations).interfaceNamed("Garden").operation("f", false);
    assertNotNull(group);
    return group.overloads();
  }

  /** Returns a line per item: index of the overload, types, initials of the optionality values. */
  private static List<String> lines(EffectiveOverloadSet set) {
    return set.items().stream()
        .map(item ->
            item.callable()
                + item.types().stream()
                    .map(IdlType::toIdl)
                    .collect(Collectors.joining(", ", " (", ") "))
                + item.optionalities().stream()
                    .map(value -> value.name().substring(0, 1))
                    .collect(Collectors.joining()))
        .toList();
  }

  private static final String FOUR =
      """
      undefined f(long only);
      undefined f(Plant a, boolean b, octet... c);
      undefined f();
      undefined f(Stone a, boolean b, optional DOMString c, octet... d);
      """;

  @Test
  void optional_and_variadic_arguments_add_an_item_per_argument_count() {
    assertEquals(
        List.of(
            "0 (long) R",
            "1 (Plant, boolean, octet) RRV",
            "1 (Plant, boolean, octet, octet) RRVV",
            "1 (Plant, boolean) RR",
            "2 () ",
            "3 (Stone, boolean, DOMString, octet) RROV",
            "3 (Stone, boolean, DOMString) RRO",
            "3 (Stone, boolean) RR"),
        lines(overloads(FOUR).effectiveOverloadSet(4)));
  }

  @Test
  void a_variadic_argument_repeats_up_to_the_number_of_arguments_passed() {
    Overloads<Member.Operation> overloads = overloads(FOUR);
    assertEquals(4, overloads.effectiveOverloadSet(0).maxArgumentCount());
    EffectiveOverloadSet six = overloads.effectiveOverloadSet(6);
    assertEquals(6, six.maxArgumentCount());
    assertEquals(
        List.of(
            "1 (Plant, boolean, octet, octet, octet, octet) RRVVVV",
            "3 (Stone, boolean, DOMString, octet, octet, octet) RROVVV"),
        lines(new EffectiveOverloadSet(six.withArgumentCount(6))));
    assertTrue(overloads.isVariadic());
    assertEquals(4, overloads.declaredMaxArgumentCount());
  }

  @Test
  void without_variadic_overloads_the_set_is_the_same_for_every_argument_count() {
    Overloads<Member.Operation> overloads = overloads("undefined f(long a, optional any b);");
    assertSame(overloads.effectiveOverloadSet(0), overloads.effectiveOverloadSet(9));
    assertEquals(
        List.of("0 (long, any) RO", "0 (long) R"), lines(overloads.effectiveOverloadSet(9)));
    assertFalse(overloads.isVariadic());
  }

  @Test
  void distinguishing_argument_index_depends_on_the_argument_count() {
    Overloads<Member.Operation> four = overloads(FOUR);
    assertEquals(-1, four.distinguishingArgumentIndex(0));
    assertEquals(-1, four.distinguishingArgumentIndex(1));
    assertEquals(0, four.distinguishingArgumentIndex(2));
    assertEquals(0, four.distinguishingArgumentIndex(4));
    assertEquals(0, four.distinguishingArgumentIndex(40));
    Overloads<Member.Operation> second =
        overloads("any f(DOMString a, long b); any f(DOMString a, Plant b, optional any c);");
    assertEquals(1, second.distinguishingArgumentIndex(2));
    assertEquals(-1, second.distinguishingArgumentIndex(3));
    assertEquals(-1, second.distinguishingArgumentIndex(4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          any f();                                            | 0
          any f(any a, any b);                                | 2
          any f(any a, optional any b);                       | 1
          any f(any... a);                                    | 0
          any f(any a, any... b);                             | 1
          any f(any a, any b, any c); any f(any a, any b);    | 2
          any f(optional any a, any b);                       | 2
          """)
  void the_length_is_the_smallest_number_of_required_arguments(String operations, int length) {
    assertEquals(length, overloads(operations).length());
  }

  @Test
  void constructors_have_overloads_too() {
    MergedInterface garden =
        model("constructor(); constructor(long a, DOMString b); constructor(Plant a, any b);")
            .interfaceNamed("Garden");
    assertEquals(3, garden.constructors().callables().size());
    assertEquals(0, garden.constructors().length());
    assertEquals(0, garden.constructors().distinguishingArgumentIndex(2));
  }

  @Test
  void an_interface_without_constructor_has_empty_overloads() {
    Overloads<Member.Constructor> none = model("").interfaceNamed("Garden").constructors();
    assertTrue(none.isEmpty());
    assertEquals(0, none.length());
    assertEquals(List.of(), none.effectiveOverloadSet(3).items());
    assertEquals(-1, none.distinguishingArgumentIndex(0));
  }

  @Test
  void the_types_in_an_overload_set_are_resolved() {
    IdlModel model =
        IdlModel.of(
            List.of(
                IdlParser.parse(
                    "test.idl",
                    "typedef [Clamp] long Id; [Exposed=*] interface A { any f(Id? id); };")));
    OperationGroup group = model.interfaceNamed("A").operation("f", false);
    assertNotNull(group);
    assertEquals(List.of("0 ([Clamp] long?) R"), lines(group.overloads().effectiveOverloadSet(1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          any f(DOMString a); any f(USVString a); \
          | no argument distinguishes the overloads of operation Garden.f with 1 arguments
          any f(any... a); any f(any... b); \
          | no argument distinguishes the overloads of operation Garden.f with 0 arguments
          any f(long a, Plant b); any f(double a, DOMString b); \
          | with 2 arguments must agree in type and optionality at index 0
          any f(optional long a, optional long b); any f(long a, DOMString b); \
          | with 2 arguments must agree in type and optionality at index 0
          any f(bigint a); any f(long a); \
          | take a bigint and a number at index 0
          constructor(long a); constructor(double b); \
          | no argument distinguishes the overloads of the constructor of Garden with 1 arguments
          """)
  void indistinguishable_overloads_are_an_error(String members, String problem) {
    IdlModelException error = assertThrows(IdlModelException.class, () -> model(members));
    assertTrue(error.getMessage().contains(problem), error.getMessage());
    assertEquals("test.idl", error.position().source());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          undefined          | boolean             | true
          undefined          | Size                | false
          undefined          | undefined           | false
          boolean            | long                | true
          boolean            | boolean             | false
          double             | long                | false
          double             | bigint              | true
          double             | DOMString           | true
          Colour             | DOMString           | false
          DOMString          | object              | true
          DOMString          | async_sequence<any> | true
          object             | symbol              | true
          object             | Plant               | false
          object             | Size                | false
          symbol             | Plant               | true
          Plant              | Stone               | true
          Plant              | Tree                | false
          Tree               | Plant               | false
          Plant              | Plant               | false
          Plant              | ArrayBuffer         | true
          ArrayBuffer        | DataView            | true
          DataView           | DataView            | false
          Plant              | Watch               | true
          Grow               | Size                | true
          OldGrow            | Size                | false
          Grow               | OldGrow             | false
          Grow               | sequence<any>       | true
          Size               | Watch               | false
          Size               | record<DOMString, any> | false
          Size               | sequence<any>       | true
          Size               | async_sequence<any> | true
          sequence<any>      | FrozenArray<any>    | false
          sequence<any>      | async_sequence<any> | false
          any                | long                | false
          Promise<any>       | long                | false
          long?              | Plant               | true
          long?              | Plant?              | false
          long?              | Size                | false
          (Size or long)     | Plant?              | false
          (Plant or long)    | (Stone or DOMString) | true
          (Plant or long)    | (Stone or double)   | false
          (Plant or long)    | DOMString           | true
          (Plant or long)?   | double              | false
          (Plant or long?)   | (Stone or DOMString)? | false
          [Clamp] long       | DOMString           | true
          [Clamp] long       | double              | false
          """)
  void types_are_distinguishable_as_in_the_table_of_web_idl(
      String one, String other, boolean expected) {
    IdlModel model = model("");
    IdlType a = resolved(model, one);
    IdlType b = resolved(model, other);
    assertEquals(expected, model.distinguishable(a, b));
    assertEquals(expected, model.distinguishable(b, a));
  }

  private static IdlType resolved(IdlModel model, String type) {
    Definition.Typedef typedef =
        (Definition.Typedef)
            IdlParser.parse("type", "typedef " + type + " T;").definitions().getFirst();
    return model.resolve(typedef.type());
  }
}
