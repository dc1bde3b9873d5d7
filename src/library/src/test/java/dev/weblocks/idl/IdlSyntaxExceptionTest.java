package dev.weblocks.idl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Messages of the parser about invalid text. */
class IdlSyntaxExceptionTest {

  private static String message(String text) {
    return assertThrows(IdlSyntaxException.class, () -> IdlParser.parse("bad.idl", text))
        .getMessage();
  }

  private static String messageOfMember(String member) {
    return message("interface A {\n  " + member + "\n};");
  }

  @Test
  void a_missing_semicolon_is_reported_with_line_and_column() {
    IdlSyntaxException error =
        assertThrows(
            IdlSyntaxException.class,
            () -> IdlParser.parse("bad.idl", "interface A {\n  attribute long x\n};\n"));
    assertEquals(
        "bad.idl:3:1: expected \";\" after the attribute \"x\" but found \"}\"",
        error.getMessage());
    assertEquals(new SourcePosition("bad.idl", 3, 1), error.position());
    assertEquals("\";\" after the attribute \"x\"", error.expected());
    assertEquals("\"}\"", error.found());
  }

  @Test
  void column_is_correct_after_comments_and_strings_of_several_lines() {
    assertEquals(
        "bad.idl:2:14: expected the name of the enumeration but found the integer 7",
        message("/* one\n two */ enum 7"));
    assertEquals(
        "bad.idl:2:10: expected \",\" or \"}\" but found the string \"x\"",
        message("enum E { \"two\nlines\"   \"x\" };"));
  }

  @Test
  void error_at_the_end_of_the_text_has_its_position() {
    assertEquals(
        "bad.idl:1:14: expected a member (attribute, operation, const or another) or \"}\" but"
            + " found the end of the text",
        message("interface A {"));
  }

  @Test
  void unexpected_start_of_a_definition_lists_the_kinds_of_definitions() {
    assertEquals(
        "bad.idl:1:1: expected a definition (interface, partial, dictionary, enum, callback,"
            + " typedef, namespace or an includes statement) but found \"}\"",
        message("};"));
  }

  @Test
  void a_misspelt_keyword_is_named_in_the_error() {
    assertEquals(
        "bad.idl:1:11: expected \"includes\" (or a definition's keyword before the name) but found"
            + " the identifier \"A\"",
        message("interfase A {};"));
  }

  @Test
  void keyword_used_as_a_name_gets_an_escaping_hint() {
    assertEquals(
        "bad.idl:2:18: expected the name of the attribute but found the keyword \"interface\""
            + " (write \"_interface\" to use the word as a name)",
        messageOfMember("attribute long interface;"));
  }

  @Test
  void default_value_is_allowed_only_for_optional_arguments() {
    assertEquals(
        "bad.idl:2:22: expected \",\" or \")\" (only an argument marked \"optional\" has a default"
            + " value) but found \"=\"",
        messageOfMember("undefined f(long a = 1);"));
  }

  @Test
  void a_required_dictionary_member_has_no_default() {
    assertEquals(
        "bad.idl:1:33: expected \";\" after the required dictionary member \"a\", which has no"
            + " default value but found \"=\"",
        message("dictionary D { required octet a = 1; };"));
  }

  @Test
  void any_and_promises_are_not_nullable() {
    assertEquals(
        "bad.idl:1:12: expected no \"?\" (any already includes null) but found \"?\"",
        message("typedef any? T;"));
    assertEquals(
        "bad.idl:1:21: expected no \"?\" (a promise type is never nullable) but found \"?\"",
        message("typedef Promise<any>? T;"));
  }

  @Test
  void any_is_not_allowed_in_a_union() {
    assertEquals(
        "bad.idl:1:18: expected a type that may be a member of a union (not any or Promise) but"
            + " found the keyword \"any\"",
        message("typedef (long or any) T;"));
  }

  @Test
  void the_key_of_a_record_is_a_string_type() {
    assertEquals(
        "bad.idl:1:16: expected DOMString, ByteString or USVString as the key type of a record but"
            + " found the keyword \"long\"",
        message("typedef record<long, any> T;"));
  }

  @Test
  void a_constructor_does_not_belong_in_a_partial() {
    assertEquals(
        "bad.idl:1:23: expected a member of a partial interface (a constructor belongs in the"
            + " original definition) but found the keyword \"constructor\"",
        message("partial interface A { constructor(); };"));
  }

  @Test
  void a_mixin_has_no_static_members() {
    assertEquals(
        "bad.idl:1:21: expected a member that a mixin may have but found the keyword \"static\"",
        message("interface mixin A { static undefined f(); };"));
  }

  @Test
  void attributes_of_a_namespace_are_read_only() {
    assertEquals(
        "bad.idl:1:15: expected \"readonly\" before \"attribute\" (attributes of a namespace are"
            + " read-only) but found the keyword \"attribute\"",
        message("namespace A { attribute any x; };"));
  }

  @Test
  void old_syntax_of_async_iterables_is_reported_with_a_hint() {
    assertEquals(
        "bad.idl:2:9: expected \"async_iterable\", the current spelling of \"async iterable\", but"
            + " found the keyword \"iterable\"",
        messageOfMember("async iterable<any>;"));
  }

  @Test
  void an_unclosed_comment_or_string_is_reported_where_it_begins() {
    assertEquals(
        "bad.idl:2:3: expected \"*/\" after this \"/*\" but found the end of the text",
        message("\n  /* never closed"));
    assertEquals(
        "bad.idl:1:10: expected '\"' at the end of this string but found the end of the text",
        message("enum E { \"a };"));
  }

  @Test
  void unbalanced_brackets_in_an_extended_attribute_are_reported() {
    assertEquals("bad.idl:1:6: expected \")\" but found \"]\"", message("[A=(b] interface C {};"));
  }

  @Test
  void error_inside_a_legacy_factory_function_has_its_inner_position() {
    assertEquals(
        "bad.idl:1:34: expected the name of the argument but found \")\"",
        message("[LegacyFactoryFunction=Image(long)] interface A {};"));
  }

  @Test
  void unexpected_surrogate_pair_is_reported_as_one_character() {
    assertEquals(
        "bad.idl:1:9: expected a type but found \"\uD83C\uDF39\"",
        message("typedef \uD83C\uDF39 T;"));
  }
}
