package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The predicates on types. */
class IdlTypeTest {

  private static IdlType type(String text) {
    IdlModel model =
        IdlModel.of(
            List.of(
                IdlParser.parse(
                    "test.idl",
                    "[Exposed=*] interface Node {}; [Exposed=*] interface Event {};"
                        + " [Exposed=*] interface Part {};")));
    Definition.Typedef typedef =
        (Definition.Typedef)
            IdlParser.parse("type", "typedef " + text + " T;").definitions().getFirst();
    return model.resolve(typedef.type());
  }

  private static List<String> flattened(String text) {
    return type(text).flattenedMemberTypes().stream().map(IdlType::toIdl).toList();
  }

  @Test
  void unions_flatten_through_unions_and_nullables_but_not_sequences() {
    assertEquals(
        List.of(
            "Node",
            "sequence<(sequence<double> or Node)>",
            "Event",
            "Part",
            "DOMString",
            "boolean"),
        flattened(
            "(Node or (sequence<(sequence<double> or Node)> or Event)"
                + " or (Part or DOMString)? or boolean)"));
  }

  @Test
  void flattened_members_keep_their_annotations() {
    assertEquals(
        List.of("[AllowShared] ArrayBuffer", "[AllowShared] DataView", "[AllowShared] Int8Array"),
        flattened("[AllowShared] (ArrayBuffer or (DataView or Int8Array?))"));
  }

  @Test
  void type_that_is_no_union_flattens_to_its_non_nullable_form() {
    assertEquals(List.of("[Clamp] long"), flattened("[Clamp] long?"));
    assertEquals(List.of("Node"), flattened("Node"));
    assertEquals(List.of("Node", "long"), flattened("(Node or long)?"));
  }

  @ParameterizedTest
  @CsvSource({
    "any,false",
    "long?,true",
    "[Clamp] long?,true",
    "(Node or long),false",
    "(Node or long?),true",
    "(Node or (long or DOMString)?),true",
    "(Node or (long or DOMString?)),true",
    "(Node or long)?,true",
    "sequence<long?>,false",
  })
  void a_type_includes_a_nullable_type_at_any_depth_of_a_union(String text, boolean expected) {
    assertEquals(expected, type(text).includesNullableType());
  }

  @ParameterizedTest
  @CsvSource({
    "undefined,true",
    "undefined?,true",
    "(Node or undefined),true",
    "(Node or (long or undefined)?),true",
    "any,false",
    "Promise<undefined>,false",
  })
  void a_type_includes_undefined_at_any_depth_of_a_union(String text, boolean expected) {
    assertEquals(expected, type(text).includesUndefined());
  }

  @ParameterizedTest
  @CsvSource({"Promise<any>,true", "any,false", "sequence<Promise<any>>,false"})
  void promise_types_are_recognised(String text, boolean expected) {
    assertEquals(expected, type(text).isPromiseType());
  }

  @Test
  void the_inner_type_of_a_nullable_keeps_the_annotation() {
    IdlType inner = type("[EnforceRange] unsigned long?").nonNullable();
    assertEquals("[EnforceRange] unsigned long", inner.toIdl());
    assertEquals(true, inner.annotations().has("EnforceRange"));
    assertInstanceOf(IdlType.PrimitiveType.class, inner.withoutAnnotations());
    assertEquals("long", type("long").nonNullable().toIdl());
  }

  @ParameterizedTest
  @CsvSource({
    "BOOLEAN,false",
    "BIGINT,false",
    "OCTET,true",
    "UNSIGNED_LONG_LONG,true",
    "DOUBLE,true",
    "UNRESTRICTED_FLOAT,true",
  })
  void is_numeric_distinguishes_number_types(IdlType.Primitive kind, boolean numeric) {
    assertEquals(numeric, kind.isNumeric());
  }
}
